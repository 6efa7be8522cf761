'use client'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { EmptyState } from '@/app/_components/empty-state'
import { KeyIcon } from '@/app/_components/icons'
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

// Loaded only for the few people who have a key to test. Its space is reserved until then.
const KeyTrial = lazy(async () => ({ default: (await import('./key-trial')).KeyTrial }))

const loadBulkButton = async () => (await import('./delete-keys-button')).DeleteKeysButton
// No key can be selected before someone uses the page, so the button is not loaded earlier.
onFirstUse(() => void loadBulkButton().catch(() => undefined))

interface KeyListProps {
  owner: KeyOwner
  list: ListState<ListChoice<typeof keyList>>
  mayManage: boolean
  /** SSH address of the site; null if SSH is off. */
  address: SshAddress | null
  /** ID of the key that was just added. */
  addedId: number | undefined
  /** The same ID until the viewer does something else; undefined afterward. */
  newId: number | undefined
  /** Instructions for getting a key, shown if the list is empty. */
  help: ReactNode
}

export function KeyList(props: KeyListProps): ReactNode {
  const { owner, list, mayManage, address, addedId, newId, help } = props
  const rows = useListRows(keysQuery(owner, list.choice))
  // The key to test is selected only once, so that its panel remains after the key has been used.
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
        Anything that uses this key over SSH, including {mine ? 'your' : 'their'} scripts, immediately loses
        access. Open connections that use it are closed, even in the middle of a transfer. You can’t undo
        this, but you can add the same key again.
      </p>
    </ConfirmButton>
  )
}

function DeleteKeysButton(props: DeleteKeysButtonProps): ReactNode {
  const Button = useLazyComponent(loadBulkButton, true, error => toast.error(readFailure(error).message))
  return Button ? <Button {...props} /> : null
}
