import { firstLine } from '@/app/_lib/format'

/**
 * Details of a push from the `content` of an activity entry: the number of commits, the newest commit's SHA and first
 * message line, and the commit before the push. Unknown values are 0 or empty.
 */
export interface PushContent {
  commits: number
  sha: string
  before: string
  message: string
}

/** Parses the `content` of an activity entry. Returns undefined if it is not the JSON of a push. */
export function readPush(content: string): PushContent | undefined {
  const parsed = parse(content)
  if (!isRecord(parsed) || !isRecord(parsed.HeadCommit)) return undefined
  const { Sha1, Message } = parsed.HeadCommit
  const commits = Number(parsed.Len)
  return {
    commits: Number.isSafeInteger(commits) && commits > 0 ? commits : 0,
    sha: typeof Sha1 === 'string' ? Sha1 : '',
    before: compared.exec(typeof parsed.CompareURL === 'string' ? parsed.CompareURL : '')?.[1] ?? '',
    message: typeof Message === 'string' ? firstLine(Message) : '',
  }
}

const compared = /\/compare\/([0-9a-f]{40,64})\.\.\.[0-9a-f]{40,64}$/

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
