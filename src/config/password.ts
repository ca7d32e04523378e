import { ConfigError } from '../base/errors.ts';
import { runCommand } from './key.ts';

const BY_HAND = 'Run it by hand: it must print the password on one line, and nothing else. It runs without a shell.';

/**
 * Reads a database's password from a command.
 *
 * @param folder where it runs
 * @throws ConfigError when it fails or prints no password; the message holds nothing of what it printed
 */
export async function readPassword(command: string, folder: string): Promise<string> {
  const printed = await runCommand('ledger_password_command', { command, folder }, BY_HAND);
  const password = printed.replace(/\r?\n$/, '');
  if (password === '') throw new ConfigError('`ledger_password_command` printed nothing', BY_HAND);
  if (/[\r\n\0]/.test(password)) throw new ConfigError('`ledger_password_command` printed more than one line', BY_HAND);
  return password;
}
