import { spawn } from 'node:child_process';

/** Opens an address in the person's browser, without a shell. Where there is none, the printed link is enough. */
export function openBrowser(url: string): void {
  const [program, ...args] = opener(process.platform);
  const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function opener(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
