import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'

/** Filters of a list of a run's artifacts. */
export interface ArtifactChoice {
  run: number
  attempt: number
  page: number
  q: string
}

export const artifactsQuery = ({ owner, repo }: RepoPath, { run, ...choice }: ArtifactChoice) =>
  queryOptions({
    queryKey: ['artifacts', owner, repo, run, choice],
    queryFn: () => trpc.artifacts.contents.browse.query({ owner, repo, run, ...choice }),
  })

/** Returns a run's artifact by ID or name. */
export const artifactQuery = ({ owner, repo }: RepoPath, run: number, artifact: string) =>
  queryOptions({
    queryKey: ['artifact', owner, repo, run, artifact],
    queryFn: () => trpc.artifacts.contents.show.query({ owner, repo, run, artifact }),
  })

/**
 * Returns the files of a zip: those in one folder, or all whose path contains `q`. Cached without limit,
 * because an artifact's content never changes.
 */
export const membersQuery = (
  { owner, repo }: RepoPath,
  artifact: number,
  wanted: { folder: string; q: string },
) =>
  infiniteQueryOptions({
    queryKey: ['zip-members', owner, repo, artifact, wanted],
    queryFn: ({ pageParam: page }) =>
      trpc.artifacts.contents.listMembers.query({
        owner,
        repo,
        artifact_id: artifact,
        ...wanted,
        page,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Returns one file of a zip. */
export const memberQuery = ({ owner, repo }: RepoPath, artifact: number, member: string) =>
  queryOptions({
    queryKey: ['zip-member', owner, repo, artifact, member],
    queryFn: () => trpc.artifacts.contents.getMember.query({ owner, repo, artifact_id: artifact, member }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** The start of a file as text, with the size of the whole file. */
export interface Beginning {
  text: string
  /** In bytes. Undefined if the server does not send it. */
  size: number | undefined
  isWhole: boolean
}

const shownBytes = 512 * 1024

/** Fetches the start of a file to show it as text. */
export const textQuery = (url: string) =>
  queryOptions({
    queryKey: ['text', url],
    queryFn: async ({ signal }): Promise<Beginning> => {
      const response = await fetch(url, { headers: { Range: `bytes=0-${shownBytes - 1}` }, signal })
      // Any range of an empty file is unsatisfiable.
      if (response.status === 416) return { text: '', size: 0, isWhole: true }
      if (!response.ok) throw new Error((await response.text()).slice(0, 200))
      const range = /^bytes \d+-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
      const { bytes, isCut } = await readUpTo(response, shownBytes)
      const isWhole = range ? Number(range[1]) + 1 === Number(range[2]) : !isCut
      return {
        // The last character may be cut in the middle of its bytes.
        text: new TextDecoder().decode(bytes, { stream: !isWhole }),
        size: range ? Number(range[2]) : isWhole ? bytes.length : undefined,
        isWhole,
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Reads up to `limit` bytes of a response that may have ignored the range. */
async function readUpTo(response: Response, limit: number): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const bytes = new Uint8Array(limit)
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || !value) return { bytes: bytes.subarray(0, length), isCut: false }
    bytes.set(value.subarray(0, limit - length), length)
    if (length + value.length > limit) {
      await reader?.cancel()
      return { bytes, isCut: true }
    }
    length += value.length
  }
}
