'use client'
import { KeyIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ListBox, ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CopyButton } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { ExpiryFact, ExpiryLabel } from '@/app/_components/expiry'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { type KeyOwner, keysQuery, queryKeys } from '@/app/_lib/queries'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import type { SshAddress } from '@/server/instance/schema'
import type { ListedKey } from '@/server/keys/schema'
import { keyKindLabel } from './key-kind'
import { isRecentlyUsed, isUntried, isUsed } from './key-use'
import styles from './keys.module.css'

// Few have a key to test, whom the server shows it at once all the same.
const KeyTrial = lazy(async () => ({ default: (await import('./key-trial')).KeyTrial }))

interface KeyListProps {
  owner: KeyOwner
  page: number
  mayManage: boolean
  /** Where the keys are used; null where SSH is off. */
  address: SshAddress | null
  /** The key that was added just now. */
  addedId: number | undefined
  /** How to get a key, where there is none. */
  help: ReactNode
}

export function KeyList({ owner, page, mayManage, address, addedId, help }: KeyListProps): ReactNode {
  const { data } = useQuery({ ...keysQuery(owner, page), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  useLive(owner.mine ? [{ topic: 'account' }] : [], () =>
    queryClient.invalidateQueries({ queryKey: queryKeys.sshKeys(owner.username) }),
  )
  // It stays in view once it has been used.
  const [untriedId] = useState(() => data?.items.find(isUntried)?.id)
  if (!data) return <ListSkeleton />
  const tried = owner.mine ? data.items.find(({ id }) => id === (addedId ?? untriedId)) : undefined

  return (
    <>
      <Suspense>{tried && address ? <KeyTrial publicKey={tried} address={address} /> : null}</Suspense>
      {data.total === 0 ? (
        <EmptyState
          icon={KeyIcon}
          title={owner.mine ? 'No SSH keys yet' : `${owner.username} has no SSH keys`}
        >
          {help}
        </EmptyState>
      ) : (
        <ListBox title="SSH keys" total={data.total}>
          {data.items.map(key => (
            <KeyRow
              key={key.id}
              owner={owner}
              publicKey={key}
              mayDelete={mayManage}
              isNew={key.id === addedId}
            />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of SSH keys" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

interface KeyRowProps {
  owner: KeyOwner
  publicKey: ListedKey
  mayDelete: boolean
  isNew: boolean
}

function KeyRow({ owner, publicKey, mayDelete, isNew }: KeyRowProps): ReactNode {
  const { title, algorithm, bits, fingerprint, created_at, last_used_at, last_used_address, expires_at } =
    publicKey
  return (
    <ListRow
      isNew={isNew}
      visual={
        <span className={isRecentlyUsed(publicKey) ? styles.recent : styles.idle}>
          <KeyIcon size={24} />
        </span>
      }
      action={mayDelete ? <DeleteKeyButton owner={owner} publicKey={publicKey} /> : null}
    >
      <RowTitle name={title}>
        <Label>{keyKindLabel(algorithm, bits)}</Label>
        <ExpiryLabel value={expires_at} />
      </RowTitle>
      <Fingerprint value={fingerprint} />
      <RowFacts>
        <span>
          Added <RelativeDate value={created_at} />
        </span>
        {isUsed(publicKey) ? (
          <span>
            Last used <RelativeDate value={last_used_at} />
            {last_used_address ? ` from ${last_used_address}` : null}
          </span>
        ) : (
          <span>Never used</span>
        )}
        {expires_at ? <ExpiryFact value={expires_at} /> : null}
      </RowFacts>
    </ListRow>
  )
}

function DeleteKeyButton({ owner, publicKey }: Pick<KeyRowProps, 'owner' | 'publicKey'>): ReactNode {
  const queryClient = useQueryClient()
  const { username, mine } = owner
  const { id, title, fingerprint } = publicKey
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${title}`}
      size="small"
      title={`Delete the SSH key “${title}”?`}
      confirm="Delete SSH key"
      run={() => (mine ? trpc.keys.remove.mutate({ id }) : trpc.keys.removeFor.mutate({ username, id }))}
      done={`Deleted the SSH key “${title}”`}
      onDone={() => queryClient.invalidateQueries({ queryKey: queryKeys.sshKeys(username) })}
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

function Fingerprint({ value }: { value: string }): ReactNode {
  return (
    <div className={styles.fingerprint}>
      <code className={styles.value}>{value}</code>
      <CopyButton text={value} what="fingerprint" />
    </div>
  )
}
