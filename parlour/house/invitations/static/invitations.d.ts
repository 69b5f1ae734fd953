interface Invitation {
  id: string;
  title: string;
  host: string;
  token: string;
}
interface Invitations {
  invitations: Invitation[];
  turns: Turn[];
  go: string;
}
