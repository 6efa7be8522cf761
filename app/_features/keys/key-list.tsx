'use client'
import { KeyIcon } from '@primer/octicons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { EmptyState } from '@/app/_components/empty-state'
import { WorkList } from '@/app/_components/work-list'
import { readFailure } from '@/app/_lib/failure'
import type { ListChoice } from '@/app/_lib/list-choice'
import type { keyList } from '@/app/_lib/lists'
import { type KeyOwner, keysQuery, sshKeysKey } from '@/app/_lib/queries/keys'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { ListState } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { isolated } from '@/app/_lib/visible-text'
import { onFirstUse, useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { SshAddress } from '@/server/instance/schema'
import type { ListedKey } from '@/server/keys/schema'
import type { DeleteKeysButtonProps } from './delete-keys-button'
import { Fingerprint, KeyRow } from './key-row'
import { isRecentlyUsed, isUntried, isUsed } from './key-use'
import styles from './keys.module.css'

// Few have a key to test. Its room is kept until it is there.
const KeyTrial = lazy(async () => ({ default: (await import('./key-trial')).KeyTrial }))

const loadBulkButton = async () => (await import('./delete-keys-button')).DeleteKeysButton
// Nothing is chosen as long as nobody uses the page.
onFirstUse(() => void loadBulkButton().catch(() => undefined))

interface KeyListProps {
  owner: KeyOwner
  list: ListState<ListChoice<typeof keyList>>
  mayManage: boolean
  /** Where the keys are used; null where SSH is off. */
  address: SshAddress | null
  /** The key that was added just now. */
  addedId: number | undefined
  /** The same key until the reader does something else. */
  newId: number | undefined
  /** How to get a key, where there is none. */
  help: ReactNode
}

export function KeyList(props: KeyListProps): ReactNode {
  const { owner, list, mayManage, address, addedId, newId, help } = props
  const rows = useListRows(keysQuery(owner, list.choice))
  // It stays in view once it has been used.
  const keys = rows.found?.items
  const [untriedId] = useState(() => keys?.find(isUntried)?.id)
  const tried = owner.mine ? keys?.find(({ id }) => id === (addedId ?? untriedId)) : undefined

  return (
    <>
      {tried && address ? (
        <Suspense fallback={<div className={styles.trialRoom} />}>
          <KeyTrial publicKey={tried} address={address} />
        </Suspense>
      ) : null}
      <WorkList<ListedKey>
        title="SSH keys"
        noun="key"
        icon={KeyIcon}
        list={list}
        rows={rows}
        idOf={key => key.id}
        nameOf={key => key.title}
        empty={
          <EmptyState
            icon={KeyIcon}
            title={owner.mine ? 'No SSH keys yet' : `${owner.username} has no SSH keys`}
          >
            {help}
          </EmptyState>
        }
        row={(key, check) => (
          <KeyRow
            key={key.id}
            publicKey={key}
            check={check}
            lastUsedAt={isUsed(key) ? key.last_used_at : null}
            isRecent={isRecentlyUsed(key)}
            action={mayManage ? <DeleteKeyButton owner={owner} publicKey={key} /> : null}
            isNew={key.id === newId}
          />
        )}
        bulk={
          mayManage
            ? {
                takes: () => true,
                actions: (keys, done) => <DeleteKeysButton owner={owner} publicKeys={keys} onDone={done} />,
              }
            : undefined
        }
      />
    </>
  )
}

interface DeleteKeyButtonProps {
  owner: KeyOwner
  publicKey: ListedKey
}

function DeleteKeyButton({ owner, publicKey }: DeleteKeyButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const { username, mine } = owner
  const { id, title, fingerprint } = publicKey
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${title}`}
      size="small"
      title={`Delete the SSH key “${isolated(title)}”?`}
      confirm="Delete SSH key"
      run={() => (mine ? trpc.keys.remove.mutate({ id }) : trpc.keys.removeFor.mutate({ username, id }))}
      done={`Deleted the SSH key “${isolated(title)}”`}
      onDone={() => queryClient.invalidateQueries({ queryKey: sshKeysKey(username) })}
    >
      <Fingerprint value={fingerprint} />
      <p>
        Whoever signs in over SSH with this key loses access at once, {mine ? 'your' : 'their'} scripts and
        machines included. Connections that are open with it end now, even in the middle of a transfer. This
        cannot be undone, but the same key can be added again.
      </p>
    </ConfirmButton>
  )
}

function DeleteKeysButton(props: DeleteKeysButtonProps): ReactNode {
  const Button = useLazyComponent(loadBulkButton, true, error => toast.error(readFailure(error).message))
  return Button ? <Button {...props} /> : null
}
