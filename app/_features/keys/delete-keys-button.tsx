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

/** Button that deletes the selected keys of a list after confirmation. */
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
        Anything that uses {ids.length === 1 ? 'this key' : 'these keys'} over SSH, including{' '}
        {mine ? 'your' : 'their'} scripts, immediately loses access. Open connections that use{' '}
        {ids.length === 1 ? 'it' : 'them'} are closed, even in the middle of a transfer. You can’t undo this,
        but you can add the same {ids.length === 1 ? 'key' : 'keys'} again.
      </p>
    </BulkButton>
  )
}
