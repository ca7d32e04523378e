import { everyNode, type Node } from './tree.ts';

/** For bash 3.2 and later, as macOS still has it. */
export function bashScript(tree: Node): string {
  const nodes = everyNode(tree);
  const descents = nodes.slice(1).map(({ path }) => `      ${quote(path)}) path=${quote(path)} ;;`);
  const choices = nodes.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .flatMap(({ flags, choices: values }) => flags.map((flag) => reply(`${path}:${flag}`, values))),
  );
  const words = nodes.map(({ path, children, values, options }) =>
    reply(path, [...children.map(({ name }) => name), ...values, ...options.flatMap(({ flags }) => flags)]),
  );
  return `# remit completion for bash: put  source <(remit completion bash)  into ~/.bashrc
_remit() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
${descents.join('\n')}
    esac
  done
  case "$path:$prev" in
${choices.join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$path" in
${words.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _remit remit`;
}

function reply(pattern: string, words: readonly string[]): string {
  return `      ${quote(pattern)}) words=${quote(words.join(' '))} ;;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
