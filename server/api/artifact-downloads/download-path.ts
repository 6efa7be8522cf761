import { type DownloadPermit, parseDownloadPath } from '@/server/artifacts'
import { pathText } from '@/server/kernel/wire'

/** Parsed path of an artifact: a signed URL, or a path on the site that is authorized by session or token. */
export type ArtifactTarget =
  | { kind: 'signed'; permit: DownloadPermit }
  | {
      kind: 'session'
      of: { owner: string; repo: string }
      id: number
      as: 'download' | 'view'
      /** Path of a file in the archive. */
      member?: string | undefined
      /** Returns the same path under another owner and repository, for redirects. */
      in(names: { owner: string; repo: string }): string
    }

// `/-/` is reserved for the site's own pages.
const form =
  /^\/(?!(?:-|api|_next)\/)([^/]+)\/([^/]+)(\/actions\/artifacts\/([^/]+)\/(?:(download|view)|files\/(.+)))$/s

/** Parses the path of an artifact; undefined for any other path. */
export function parseArtifactPath(path: string): ArtifactTarget | undefined {
  const permit = parseDownloadPath(path)
  if (permit) return { kind: 'signed', permit }
  const [, owner, repo, rest = '', id, as, member] = form.exec(path) ?? []
  if (!owner || !repo) return undefined
  return {
    kind: 'session',
    of: { owner: decoded(owner), repo: decoded(repo) },
    id: numberOf(id),
    as: as === 'download' ? 'download' : 'view',
    member: member && decodedMember(member),
    in: names => `/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}${rest}`,
  }
}

// No artifact has the ID 0.
const numberOf = (text = ''): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)

// An invalid name becomes the empty name, which no repository has.
const decoded = (text: string): string => pathText.safeParse(text).data ?? ''

// The path of a file in an archive can be longer, once percent-encoded, than `pathText` accepts.
function decodedMember(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
