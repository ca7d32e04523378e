import { everyNode, type Node, type OptionNode } from './tree.ts';

/** A zsh script that completes commands, their fixed arguments, and options with their values. */
export function zshScript(tree: Node): string {
  return `#compdef remit
# remit completion for zsh: put  source <(remit completion zsh)  into ~/.zshrc, after compinit
${everyNode(tree).map(completer).join('\n')}
compdef _remit remit`;
}

function completer(node: Node): string {
  const name = functionName(node);
  const options = node.options.map((option) => `    ${describeOption(option)} \\`).join('\n');
  if (node.children.length === 0) {
    const argument = node.values.length > 0 ? `'1:value:(${node.values.join(' ')})'` : `'*:file:_files'`;
    return `${name}() {
  _arguments \\
${options}
    ${argument}
}`;
  }
  const commands = node.children.map((child) => `    ${quote(`${child.name}:${child.summary}`)}`).join('\n');
  const descents = node.children.map((child) => `        ${child.name}) ${functionName(child)} ;;`).join('\n');
  return `${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${commands}
  )
  _arguments -C \\
${options}
    '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${descents}
      esac ;;
  esac
}`;
}

function functionName({ path }: Node): string {
  return ['_remit', ...path.split(' ').filter(Boolean)].join('_').replaceAll('-', '_');
}

function describeOption({ flags, summary, takesValue, choices }: OptionNode): string {
  const about = `[${summary.replace(/[[\]:]/g, '\\$&')}]`;
  const value = takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : '';
  if (flags.length === 1) return quote(`${flags[0]}${about}${value}`);
  return `${quote(`(${flags.join(' ')})`)}{${flags.join(',')}}${quote(`${about}${value}`)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
