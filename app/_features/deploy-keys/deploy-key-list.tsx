'use client'
import { KeyIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine, CopyButton } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { ExpiryFact, ExpiryLabel } from '@/app/_components/expiry'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { keyKindLabel } from '@/app/_features/keys/key-kind'
import type { RepoPath } from '@/app/_lib/paths'
import { deployKeysQuery, queryKeys } from '@/app/_lib/queries'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import type { ListedDeployKey } from '@/server/keys/deploy/schema'
import styles from './deploy-keys.module.css'

interface DeployKeyListProps {
  path: RepoPath
  /** Of the repository. */
  id: number
  page: number
  /** The key that was added just now. */
  addedId: number | undefined
}

export function DeployKeyList({ path, id, page, addedId }: DeployKeyListProps): ReactNode {
  const { data } = useQuery({ ...deployKeysQuery(path, page), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  useLive([{ topic: 'repository', id }], () =>
    queryClient.invalidateQueries({ queryKey: queryKeys.repository.deployKeys(path) }),
  )
  if (!data) return <ListSkeleton />

  return (
    <>
      {data.total === 0 ? (
        <EmptyState icon={KeyIcon} title="No deploy keys yet">
          <p>Make a pair of keys for the program alone, without a passphrase:</p>
          <CommandLine command={`ssh-keygen -t ed25519 -N "" -C ${path.repo} -f deploy_key`} />
          <p>
            Add the contents of <code>deploy_key.pub</code> here, and give the program the file{' '}
            <code>deploy_key</code>.
          </p>
        </EmptyState>
      ) : (
        <ListBox title="Deploy keys" total={data.total}>
          {data.items.map(key => (
            <DeployKeyRow key={key.id} path={path} deployKey={key} isNew={key.id === addedId} />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of deploy keys" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

interface DeployKeyRowProps {
  path: RepoPath
  deployKey: ListedDeployKey
  isNew: boolean
}

function DeployKeyRow({ path, deployKey, isNew }: DeployKeyRowProps): ReactNode {
  const { title, algorithm, bits, fingerprint, read_only, expires_at } = deployKey
  return (
    <ListRow
      isNew={isNew}
      visual={
        <span className={styles.visual}>
          <KeyIcon size={24} />
        </span>
      }
      action={<DeleteDeployKeyButton path={path} deployKey={deployKey} />}
    >
      <RowTitle name={title}>
        <Label variant={read_only ? 'secondary' : 'attention'}>
          {read_only ? 'Read only' : 'Read and write'}
        </Label>
        <Label>{keyKindLabel(algorithm, bits)}</Label>
        <ExpiryLabel value={expires_at} />
      </RowTitle>
      <Fingerprint value={fingerprint} />
      <RowFacts>
        <span>
          Added <RelativeDate value={deployKey.created_at} />
        </span>
        <LastUse deployKey={deployKey} />
        {expires_at ? <ExpiryFact value={expires_at} /> : null}
      </RowFacts>
    </ListRow>
  )
}

function LastUse({ deployKey }: Pick<DeployKeyRowProps, 'deployKey'>): ReactNode {
  const { last_used_at, last_used_address } = deployKey
  if (!last_used_at) return <span>Never used</span>
  return (
    <span>
      Last used <RelativeDate value={last_used_at} />
      {last_used_address ? ` from ${last_used_address}` : null}
    </span>
  )
}

function DeleteDeployKeyButton({ path, deployKey }: Omit<DeployKeyRowProps, 'isNew'>): ReactNode {
  const queryClient = useQueryClient()
  const { id, title, fingerprint, read_only } = deployKey
  return (
    <ConfirmButton
      label="Delete"
      name={`Delete ${title}`}
      size="small"
      title={`Delete the deploy key “${title}”?`}
      confirm="Delete deploy key"
      run={() => trpc.keys.deploy.remove.mutate({ ...path, id })}
      done={`Deleted the deploy key “${title}”`}
      onDone={() => queryClient.invalidateQueries({ queryKey: queryKeys.repository.deployKeys(path) })}
    >
      <Fingerprint value={fingerprint} />
      <p>
        Programs that use it can no longer {read_only ? 'fetch from' : 'fetch from or push to'} {path.owner}/
        {path.repo} with it, and connections that are open with it end at once. Other repositories that have
        the same key keep it.
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
