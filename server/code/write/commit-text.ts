import type { ActingCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { personLine, plainIdentity } from '@/server/kernel/git/commit'
import type { Signature } from '@/server/kernel/git/object-text'
import { signatureOf } from '@/server/repos'
import type { ChangeFile, CommitOptions } from './schema'

/** Who a commit names, and its message. */
export interface CommitTexts {
  author: Signature
  committer: Signature
  message: string
}

/**
 * Returns what a commit by the caller contains besides its tree and parents.
 * @throws {DomainError} unprocessable if a date is not one that Git can store
 */
export function textsOf(
  ctx: ActingCtx,
  options: CommitOptions,
  files: readonly Pick<ChangeFile, 'operation' | 'path'>[],
): CommitTexts {
  const own = signatureOf(ctx)
  const author = unlessEmpty(options.author) ?? options.committer
  const committer = unlessEmpty(options.committer) ?? options.author
  const signature = (person: CommitOptions['author'], time: string | undefined): Signature => ({
    name: plainIdentity(person?.name ?? '') || own.name,
    email: plainIdentity(person?.email ?? '') || own.email,
    date: dateOf(time) ?? own.date,
  })
  const texts = {
    author: signature(author, options.dates?.author),
    committer: signature(committer, options.dates?.committer),
  }
  const message = options.message.replaceAll('\r\n', '\n').trim() || defaultMessage(files)
  return { ...texts, message: options.signoff ? signedOff(message, texts.committer) : `${message}\n` }
}

// Clients in Go send empty texts for a person who is not set.
const unlessEmpty = (person: CommitOptions['author']): CommitOptions['author'] =>
  person?.name || person?.email ? person : undefined

/** Writes a commit object. */
export function commitText(
  { author, committer, message }: CommitTexts,
  { tree, parents }: { tree: string; parents: readonly string[] },
): Buffer {
  const lines = [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${personLine(author)}`,
    `committer ${personLine(committer)}`,
  ]
  return Buffer.from(`${lines.join('\n')}\n\n${message}`)
}

// Clients in Go send the first year for a time that is not set, and Git has no times before 1970.
function dateOf(time: string | undefined): Date | undefined {
  const date = new Date(time || '0001-01-01T00:00:00Z')
  if (date.getUTCFullYear() <= 1) return undefined
  if (date.getTime() >= 0 && date.getUTCFullYear() < 10_000) return date
  throw unprocessable('the dates of a commit must be between 1970 and 9999', { field: 'dates' })
}

const verbs = { create: 'Add', upload: 'Upload', update: 'Update', rename: 'Rename', delete: 'Delete' }
const maxNamed = 3

function defaultMessage(files: readonly Pick<ChangeFile, 'operation' | 'path'>[]): string {
  const operations = new Set(files.map(({ operation }) => operation))
  const [only = 'update'] = operations
  const verb = operations.size === 1 ? verbs[only] : 'Change'
  if (files.length > maxNamed) return `${verb} ${files.length} files`
  return `${verb} ${files.map(({ path }) => path).join(', ')}`
}

// A trailer joins the trailers that the message ends with.
function signedOff(message: string, { name, email }: Signature): string {
  const line = `Signed-off-by: ${name} <${email}>`
  const lines = message.split('\n')
  if (lines.includes(line)) return `${message}\n`
  const last = lines.slice(lines.lastIndexOf('') + 1)
  const endsInTrailers =
    last.length < lines.length &&
    last.every((text, index) => /^[\w-]+: /.test(text) || (index > 0 && text.startsWith(' ')))
  return `${message}${endsInTrailers ? '\n' : '\n\n'}${line}\n`
}
