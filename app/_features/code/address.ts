import type { CodeKind } from '@/server/code/pages/schema'

const kinds = ['branch', 'tag', 'commit'] as const

/** Reads the part of an address after `src` or `commits`: a kind of revision, if it begins with one, and a path. */
export function readCodeAddress(segments: readonly string[]): { kind: CodeKind; path: string } {
  const [first = '', ...rest] = segments
  const kind = kinds.find(each => each === first && rest.length > 0)
  return { kind: kind ?? 'any', path: (kind ? rest : segments).join('/') }
}
