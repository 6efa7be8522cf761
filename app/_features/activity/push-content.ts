import { firstLine } from '@/app/_lib/format'
/** What a push says of itself in an entry's `content`. */
export interface PushContent {
  commits: number
  sha: string
  message: string
}

/** Reads the JSON text of a push; undefined for any text that is not one. */
export function readPush(content: string): PushContent | undefined {
  const parsed = parse(content)
  if (!isRecord(parsed) || !isRecord(parsed.HeadCommit)) return undefined
  const { Sha1, Message } = parsed.HeadCommit
  const commits = Number(parsed.Len)
  return {
    commits: Number.isSafeInteger(commits) && commits > 0 ? commits : 0,
    sha: typeof Sha1 === 'string' ? Sha1 : '',
    message: typeof Message === 'string' ? firstLine(Message) : '',
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
