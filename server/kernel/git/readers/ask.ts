import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseInTransaction } from '@/db/transaction'
import { bytesForGit } from '../ref-text'
import { GitError } from '../run'
import type { Answer, Command } from './answers'
import { type ReaderPool, readerPool } from './pool'
import { ReaderEnded } from './reader'

interface AskOptions {
  command: Command
  names: readonly string[]
  /** How much of each content is kept, in bytes; nothing by default. */
  maxText?: number
  signal?: AbortSignal | undefined
  pool?: ReaderPool
}

// What a reader is asked at a time: Git keeps the questions in memory until it has received all of them.
const maxPortion = 500
const maxPortionLength = 256 * 1024

// Longer names cannot be paths that Git stores in an index.
const maxNameLength = 64 * 1024

const maxUnreadable = 10
const maxAttempts = 3

// Exit codes of Git for an option that it does not know, and for what it cannot do.
const unknownOption = 129
const fatal = 128

interface Question {
  index: number
  /** The name with one character per byte. */
  name: string
}

/**
 * Asks the warm readers of a repository for objects by names that Git resolves, such as an ID, a ref, or
 * `id:path`. Returns an answer for each name, undefined if there is no such object or the name is ambiguous.
 * An answer about an object that Git cannot read has no text. If a reader ends, another one continues.
 * @throws {GitError} if Git fails; {DomainError} tooManyRequests if too many calls wait; the reason of the
 * signal; {Error} inside a database transaction
 */
export async function askReaders(
  repository: string,
  { command, names, maxText = 0, signal, pool = readerPool() }: AskOptions,
): Promise<(Answer | undefined)[]> {
  refuseInTransaction('git cat-file')
  const answers = new Array<Answer | undefined>(names.length).fill(undefined)
  const questions = names.flatMap(questionOf)
  let at = 0
  const take = (answer: Answer | undefined): void => {
    const question = questions[at++]
    if (question) answers[question.index] = answer
  }
  let fresh = false
  let unreadable = 0
  let attempts = 0
  while (at < questions.length) {
    const portion = portionOf(questions, at)
    const begun = at
    try {
      await pool.use(repository, { fresh, signal }, reader =>
        reader.ask({ command, names: portion, maxText, take }, signal),
      )
      fresh = false
    } catch (error) {
      if (!(error instanceof ReaderEnded)) throw error
      fresh = true
      attempts = at > begun ? 0 : attempts + 1
      const isKnown = error.wasNew && error.exitCode !== undefined
      if (isKnown && error.exitCode === unknownOption && pool.form === 'command') pool.form = 'pair'
      else if (isKnown && error.exitCode === fatal && error.header && unreadable < maxUnreadable) {
        unreadable++
        take(error.header)
      } else if (isKnown || attempts === maxAttempts) throw error
    }
  }
  if (names.length > 0 && answers.every(answer => !answer)) await requirePresent(repository)
  return answers
}

// Git strips a carriage return from the end of a line, too.
const unaskable = /[\n\0]|\r$|^$/

function questionOf(name: string, index: number): Question[] {
  if (unaskable.test(name)) return []
  const bytes = bytesForGit(name)
  return bytes.length > maxNameLength ? [] : [{ index, name: bytes.toString('latin1') }]
}

function portionOf(questions: readonly Question[], from: number): string[] {
  const portion: string[] = []
  let length = 0
  for (const { name } of questions.slice(from, from + maxPortion)) {
    length += name.length
    if (portion.length > 0 && length > maxPortionLength) break
    portion.push(name)
  }
  return portion
}

// A warm reader does not notice that the whole repository has become unavailable.
async function requirePresent(repository: string): Promise<void> {
  await access(join(repository, 'HEAD')).catch(error => {
    const reason = `not a git repository (${error.code})`
    throw new GitError('cat-file', 'cannot read the repository', reason, fatal)
  })
}
