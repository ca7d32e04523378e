import { everyNode, type Node, type OptionNode } from './tree.ts';

/** A fish script that completes commands, their fixed arguments, and options with their values. */
export function fishScript(tree: Node): string {
  const nodes = everyNode(tree);
  const paths = nodes.slice(1).map(({ path }) => quote(path));
  return `# remit completion for fish: remit completion fish > ~/.config/fish/completions/remit.fish
function __remit_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$at $word")
        contains -- $next ${paths.join(' ')}; and set at $next
    end
    test "$at" = "$argv[1]"
end
${nodes.flatMap(lines).join('\n')}`;
}

function lines(node: Node): string[] {
  const here = `complete -c remit -n "__remit_at ${quote(node.path)}"`;
  return [
    ...node.children.map(({ name, summary }) => `${here} -f -a ${name} -d ${quote(summary)}`),
    ...node.values.map((value) => `${here} -f -a ${value}`),
    ...node.options.map((option) => `${here} ${describeOption(option)}`),
  ];
}

function describeOption({ flags, summary, takesValue, choices }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const values = choices.length > 0 ? ` -f -a ${quote(choices.join(' '))}` : '';
  return `${names.join(' ')}${takesValue ? ' -r' : ''}${values} -d ${quote(summary)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
