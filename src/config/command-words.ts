/** Splits a command of remit.toml into words at spaces; single or double quotes keep a word together. No shell ever sees it. */
export function commandWords(command: string): string[] {
  return [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
}
