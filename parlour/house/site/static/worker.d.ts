// The types of the service worker (sw.js), for scripts/check alone.

// What the server adds at its head.
declare const VERSION: string;
declare const SHELL: string[];

// A notification, as the service worker gets it.
interface Payload {
  title?: string;
  text?: string;
  tag?: string;
  path?: string;
  end?: string;
}

interface NotificationOptions {
  actions?: { action: string; title: string }[]; // in Chrome and Edge
}
