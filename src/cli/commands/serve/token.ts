import { Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../../base/errors.ts';
import { example, ledgerOption, printAnswer, type Start } from '../../command.ts';
import type { PersonInput, Session, SettingInput, Texts } from '../../session.ts';

const BY = 'who does it (default: the user of this machine)';

export const declareToken = (start: Start) =>
  new Command('token')
    .summary('make, list and revoke the tokens of programs')
    .description(
      'Makes a token for a program, which sends it as `Authorization: Bearer TOKEN`. It is printed once; what is kept is its SHA-256.',
    )
    .addOption(new Option('--role <role>', 'reader: looks; clerk: decides too (needed)').choices(['reader', 'clerk']))
    .option('--name <name>', 'the program, as the books name it (needed)')
    .option('--by <name>', BY)
    .addOption(ledgerOption())
    .addHelpText(...example('remit serve token --role reader --name BI', 'remit serve token revoke BI'))
    .addCommand(
      new Command('list')
        .summary('the tokens, revoked ones too')
        .description('Lists the tokens by name: their roles, who made them, and whether they were revoked.')
        .addOption(ledgerOption())
        .addHelpText(...example('remit serve token list'))
        .action((options) => start('serve token list', options, list)),
    )
    .addCommand(
      new Command('revoke')
        .summary('let a program in no more')
        .description('Revokes a token: from the next request on it lets nobody in.')
        .argument('<name>', 'the program')
        .option('--by <name>', BY)
        .addOption(ledgerOption())
        .addHelpText(...example('remit serve token revoke BI'))
        .action((name, options) => start('serve token revoke', { name, ...options }, revoke)),
    )
    .action((options) => start('serve token', options, make));

type MakeInput = PersonInput & Texts<'name'> & { readonly role?: 'reader' | 'clerk' | undefined };

async function make(session: Session, { role, name, ...input }: MakeInput): Promise<number> {
  const { makeToken } = await import('../../../app/desk/tokens.ts');
  if (role === undefined || name === undefined) {
    throw new UsageError('a token needs a role and a name', 'Write: remit serve token --role reader --name BI');
  }
  const books = await session.books(input);
  const { token } = await makeToken(books, { role, name, by: await session.person(input.by) });
  if (session.json) session.resultJson({ name: name.trim(), role, token });
  else {
    session.result(token);
    session.note('This is the only time that it is shown.');
  }
  return 0;
}

async function list(session: Session, input: SettingInput): Promise<number> {
  const { listTokens } = await import('../../../app/desk/tokens.ts');
  const { dayIn } = await import('../../../base/day.ts');
  const books = await session.books(input);
  const tokens = await listTokens(books);
  return printAnswer(session, { tokens }, async () => {
    if (tokens.length === 0) return 'there is no token';
    const zone = await session.zone(books);
    return tokens.map(({ name, role, made_at, made_by, revoked_at }) => {
      const state = revoked_at === null ? 'in force' : `revoked ${dayIn(revoked_at, zone)}`;
      return `${name}  ${role}  made ${dayIn(made_at, zone)} by ${made_by}  ${state}`;
    });
  });
}

async function revoke(session: Session, { name, ...input }: PersonInput & Record<'name', string>): Promise<number> {
  const { revokeToken } = await import('../../../app/desk/tokens.ts');
  const person = await session.person(input.by);
  await revokeToken(await session.books(input), { name, by: person });
  return printAnswer(session, { revoked: name, by: person }, () => `the token of ${name} is revoked`, !session.quiet);
}
