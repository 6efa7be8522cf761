import { getWorkflowSchema } from '@actions/workflow-parser/workflows/workflow-schema'

const maxTypos = 2

/** Returns what was probably meant, as a hint for a message about an unexpected word, or an empty string. */
export function hintFor(message: string): string {
  if (/^Unrecognized named-value: '(forge|forgejo)'/i.test(message)) return "; use 'github' or 'gitea'"
  if (/^Unrecognized function: 'hashFiles'/i.test(message)) return '; only steps can use it'
  if (message === "Unexpected value 'options'")
    return '; only inputs of workflow_dispatch and containers have it'
  if (message === "Unexpected value 'choice'") return '; only inputs of workflow_dispatch can be of this type'
  if (message === "Unexpected value 'background'") return '; steps cannot run in the background here'
  const word = /^Unexpected value '([\w-]{3,30})'$/.exec(message)?.[1]
  if (!word) return ''
  let best: { known: string; typos: number } | undefined
  for (const known of knownKeys()) {
    const typos = distance(word.toLowerCase(), known)
    // Of three letters, two typos leave nothing of the word.
    const isClose = typos > 0 && typos <= maxTypos && 3 * typos <= word.length
    if (isClose && typos < (best?.typos ?? known.length)) best = { known, typos }
  }
  return best ? `; did you mean '${best.known}'?` : ''
}

let words: Set<string> | undefined

// All keys that appear anywhere in the schema of workflows.
function knownKeys(): Set<string> {
  words ??= new Set(
    Object.values(getWorkflowSchema().definitions).flatMap(definition =>
      'properties' in definition ? Object.keys(definition.properties as object) : [],
    ),
  )
  return words
}

/** Returns how many characters must be added, removed or replaced to turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    for (const [left, other] of [...to].entries()) {
      const replaced = (row[left] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
