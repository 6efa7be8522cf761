'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BulkButton } from '@/app/_components/bulk-button'
import { type KeyOwner, sshKeysKey } from '@/app/_lib/queries/keys'
import { trpc } from '@/app/_lib/trpc'
import type { ListedKey } from '@/server/keys/schema'

export interface DeleteKeysButtonProps {
  owner: KeyOwner
  publicKeys: readonly ListedKey[]
  onDone: () => void
}

/** Deletes the keys that are chosen of a list. */
export function DeleteKeysButton({
  owner: { username, mine },
  publicKeys,
  onDone,
}: DeleteKeysButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const ids = publicKeys.map(({ id }) => id)
  return (
    <BulkButton
      verb="Delete"
      done="Deleted"
      nouns={['SSH key', 'SSH keys']}
      names={publicKeys.map(({ title }) => title)}
      run={() =>
        mine ? trpc.keys.removeSeveral.mutate({ ids }) : trpc.keys.removeSeveralFor.mutate({ username, ids })
      }
      onDone={async () => {
        onDone()
        await queryClient.invalidateQueries({ queryKey: sshKeysKey(username) })
      }}
    >
      <p>
        Whoever signs in over SSH with {ids.length === 1 ? 'it' : 'one of them'} loses access at once,{' '}
        {mine ? 'your' : 'their'} scripts and machines included. Connections that are open now end, even in
        the middle of a transfer. This cannot be undone, but the same keys can be added again.
      </p>
    </BulkButton>
  )
}
