// The types of the scripts that only a site without a server has.
interface Door {
  ask(deed: string, body: string): string;
  update(since: number): string;
  due(): number;
  go_on(): void;
  saved(): string;
}
// Where the files are that Python begins with.
interface Needed {
  python: string;
  library: string;
  rest: string;
  bundles: string[];
}
interface Given extends Needed {
  game: string[];
}
interface Pyodide {
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array, options: { canOwn: boolean }): void;
  };
  globals: { get(name: string): (...values: unknown[]) => unknown };
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}
