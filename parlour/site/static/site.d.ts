// The types of the scripts that only a site without a server has.
interface Door {
  ask(deed: string, body: string): string;
  update(since: number): string;
  due(): number;
  go_on(): void;
  saved(): string;
}
interface Given {
  python: string;
  bundles: string[];
  game: string[];
}
