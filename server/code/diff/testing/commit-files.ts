/** Files of a commit by path: text, a mode with text, or null to delete. Paths can be quoted as in Git. */
export type FilesToCommit = Record<string, string | { mode: string; text: string } | null>

let count = 0

/** Adds a commit with these changes and returns its ID. Without parents, it is a root commit. */
export async function commitFiles(
  { inside }: { inside(args: string[], input?: string): Promise<string> },
  files: FilesToCommit,
  parents: readonly string[] = [],
): Promise<string> {
  const branch = `refs/heads/made-${count++}`
  const [first, ...others] = parents
  const changes = Object.entries(files).map(([path, file]) => {
    if (file === null) return `D ${path}\n`
    const { mode, text } = typeof file === 'string' ? { mode: '100644', text: file } : file
    return mode === '160000'
      ? `M ${mode} ${text} ${path}\n`
      : `M ${mode} inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
  })
  const message = `Change ${count}`
  const input = [
    `commit ${branch}\ncommitter Jo <jo@example.test> ${1_700_000_000 + count} +0000\n`,
    `data ${message.length}\n${message}\n`,
    ...(first ? [`from ${first}\n`] : []),
    ...others.map(parent => `merge ${parent}\n`),
    ...changes,
  ].join('')
  await inside(['fast-import', '--quiet'], input)
  return (await inside(['rev-parse', branch])).trim()
}
