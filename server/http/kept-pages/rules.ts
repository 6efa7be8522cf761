import type { Shows } from '@/server/events'

// Only pages whose content is known to change with signals. All others are rendered for every visitor.
const pages: readonly [path: RegExp, shows: Shows][] = [
  [/^\/explore$/, 'site'],
  // Profiles. The two files are no pages.
  [/^\/(?!robots\.txt$|favicon\.ico$)[\w.-]+$/, 'site'],
  [/^\/[\w.-]{2,}\/[\w.-]+(?:\/(?:branches|tags|releases|activity))?$/, 'repositories'],
  [/^\/[\w.-]{2,}\/[\w.-]+\/releases\/tag\/.+$/, 'repositories'],
  [/^\/[\w.-]{2,}\/[\w.-]+\/(?:src|commits)\/(?:branch|tag|commit)\/.+$/, 'repositories'],
  [/^\/[\w.-]{2,}\/[\w.-]+\/(?:commit|compare)\/.+$/, 'repositories'],
]

/** Returns what the page at a path shows; undefined if it must not be kept. The path is spelled as sent. */
export function shownAt(path: string): Shows | undefined {
  return pages.find(([pattern]) => pattern.test(path))?.[1]
}
