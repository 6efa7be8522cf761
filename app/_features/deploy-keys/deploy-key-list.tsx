'use client'
import { KeyIcon } from '@primer/octicons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Label } from '@/app/_components/primer'
import { Fingerprint, KeyRow } from '@/app/_features/keys/key-row'
import type { RepoPath } from '@/app/_lib/paths'
import { deployKeysKey, deployKeysQuery } from '@/app/_lib/queries/keys'
import { trpc } from '@/app/_lib/trpc'
import type { ListedDeployKey } from '@/server/keys/deploy/schema'

interface DeployKeyListProps {
  path: RepoPath
  page: number
  /** The key that was added just now. */
  addedId: number | undefined
}

export function DeployKeyList({ path, page, addedId }: DeployKeyListProps): ReactNode {
  const { data } = useQuery({ ...deployKeysQuery(path, page), placeholderData: keepPreviousData })
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
            <KeyRow
              key={key.id}
              publicKey={key}
              lastUsedAt={key.last_used_at}
              label={<AccessLabel readOnly={key.read_only} />}
              action={<DeleteDeployKeyButton path={path} deployKey={key} />}
              isNew={key.id === addedId}
            />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of deploy keys" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

const AccessLabel = ({ readOnly }: { readOnly: boolean }): ReactNode => (
  <Label variant={readOnly ? 'secondary' : 'attention'}>{readOnly ? 'Read only' : 'Read and write'}</Label>
)

interface DeleteDeployKeyButtonProps {
  path: RepoPath
  deployKey: ListedDeployKey
}

function DeleteDeployKeyButton({ path, deployKey }: DeleteDeployKeyButtonProps): ReactNode {
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
      onDone={() => queryClient.invalidateQueries({ queryKey: deployKeysKey(path) })}
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
