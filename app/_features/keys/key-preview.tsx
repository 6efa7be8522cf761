'use client'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { CheckCircleFillIcon } from '@/app/_components/icons'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { KeyPreview } from '@/server/keys/schema'
import { looksLikePrivateKey } from '@/server/keys/ssh/private-key'
import { keyKindLabel } from './key-kind'
import styles from './keys.module.css'

// No valid key is nearly this long, so longer text is not sent to the server.
const maxLength = 20_000

export interface PreviewState {
  facts: KeyPreview | undefined
  problem: string | undefined
  /**
   * Validates the text immediately, without waiting for a pause in typing.
   * @throws {Error} the server's error if it rejects the text.
   */
  read: () => Promise<KeyPreview>
}

/**
 * Validates a pasted key on the server once typing pauses. Calls `onComment` once for each new key with the
 * key's comment, which can be empty.
 */
export function useKeyPreview(text: string, onComment: (comment: string) => void): PreviewState {
  const key = useDebounced(text.trim(), 200)
  const isSettled = key !== '' && key === text.trim() && !looksLikePrivateKey(key)
  const isWorthAsking = isSettled && key.length <= maxLength
  const { data, error } = useQuery({
    ...previewQuery(key),
    enabled: isWorthAsking,
    refetchOnWindowFocus: false,
  })
  const queryClient = useQueryClient()
  const read = (): Promise<KeyPreview> => queryClient.fetchQuery(previewQuery(text.trim()))
  const { comment, fingerprint } = (isWorthAsking && data) || {}

  const reportComment = useEffectEvent(onComment)
  useEffect(() => {
    if (fingerprint !== undefined) reportComment(comment ?? '')
  }, [comment, fingerprint])

  if (isSettled && !isWorthAsking)
    return {
      facts: undefined,
      problem:
        'This is too long to be an SSH public key, which can have at most 9,728 characters. Paste a single key.',
      read,
    }
  if (!isWorthAsking) return { facts: undefined, problem: undefined, read }
  return { facts: data, problem: error ? readFailure(error).message : undefined, read }
}

const previewQuery = (key: string) =>
  queryOptions({
    queryKey: ['key-preview', key],
    queryFn: ({ signal }) => trpc.keys.preview.query({ key }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/**
 * Type, fingerprint, and comment of a key that was recognized but is not saved yet. Takes the same space while
 * they load, so that a click on what is below does not miss.
 */
export function KeyFacts({ preview }: { preview: KeyPreview | undefined }): ReactNode {
  if (!preview) return <p className={styles.facts}>Checking the key…</p>
  const { algorithm, bits, fingerprint, comment } = preview
  return (
    <div className={styles.facts}>
      <p className={styles.good}>
        <CheckCircleFillIcon /> {keyKindLabel(algorithm, bits)}
      </p>
      <dl className={styles.list}>
        <dt>Fingerprint</dt>
        <dd>
          <code>{fingerprint}</code>
        </dd>
        {comment ? (
          <>
            <dt>Comment</dt>
            <dd>{comment}</dd>
          </>
        ) : null}
      </dl>
    </div>
  )
}
