import type { Signature } from '@/server/kernel/git/commit'

export interface FirstCommit {
  message: string
  author: Signature
  /** Path to content. */
  files: Record<string, string>
}

/** The commit in the words of `git fast-import`. Texts go with their length, so none can be taken for a command. */
export function firstCommitStream(branch: string, { message, author, files }: FirstCommit): Buffer {
  const seconds = Math.floor(author.date.getTime() / 1000)
  const person = `${plain(author.name)} <${plain(author.email)}> ${seconds} +0000`
  return Buffer.concat([
    Buffer.from(`commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\n`),
    data(message.endsWith('\n') ? message : `${message}\n`),
    ...Object.entries(files).flatMap(([path, content]) => [
      Buffer.from(`M 100644 inline ${quoted(path)}\n`),
      data(content),
    ]),
    Buffer.from('done\n'),
  ])
}

function data(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

// What would end the name or the line.
const plain = (text: string): string => text.replace(/[\s<>\p{Cc}]+/gu, ' ').trim()

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
