'use client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BulkButton } from '@/app/_components/bulk-button'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine } from '@/app/_components/copy-button'
import { EmptyState } from '@/app/_components/empty-state'
import { KeyIcon } from '@/app/_components/icons'
import { Label } from '@/app/_components/primer'
import { WorkList } from '@/app/_components/work-list'
import { Fingerprint, KeyRow } from '@/app/_features/keys/key-row'
import type { ListChoice } from '@/app/_lib/list-choice'
import type { keyList } from '@/app/_lib/lists'
import type { RepoPath } from '@/app/_lib/paths'
import { deployKeysKey, deployKeysQuery } from '@/app/_lib/queries/keys'
import { trpc } from '@/app/_lib/trpc'
import type { ListState } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import { isolated } from '@/app/_lib/visible-text'
import type { ListedDeployKey } from '@/server/keys/deploy/schema'

interface DeployKeyListProps {
  path: RepoPath
  list: ListState<ListChoice<typeof keyList>>
  /** ID of the deploy key that was just added; undefined once the viewer does something else. */
  newId: number | undefined
}

export function DeployKeyList({ path, list, newId }: DeployKeyListProps): ReactNode {
  const rows = useListRows(deployKeysQuery(path, list.choice))

  return (
    <WorkList<ListedDeployKey>
      title="Deploy keys"
      noun="deploy key"
      icon={KeyIcon}
      list={list}
      rows={rows}
      idOf={key => key.id}
      nameOf={key => key.title}
      empty={
        <EmptyState icon={KeyIcon} title="No deploy keys yet">
          <p>Create a dedicated key pair without a passphrase:</p>
          <CommandLine command={`ssh-keygen -t ed25519 -N "" -C ${path.repo} -f deploy_key`} />
          <p>
            Add the contents of <code>deploy_key.pub</code> here, and copy the private key{' '}
            <code>deploy_key</code> to the machine that will use it.
          </p>
        </EmptyState>
      }
      row={(key, check) => (
        <KeyRow
          key={key.id}
          publicKey={key}
          check={check}
          lastUsedAt={key.last_used_at}
          label={<AccessLabel readOnly={key.read_only} />}
          action={<DeleteDeployKeyButton path={path} deployKey={key} />}
          isNew={key.id === newId}
        />
      )}
      bulk={{
        takes: () => true,
        actions: (keys, done) => <DeleteDeployKeysButton path={path} deployKeys={keys} onDone={done} />,
      }}
    />
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
      title={`Delete the deploy key “${isolated(title)}”?`}
      confirm="Delete deploy key"
      run={() => trpc.keys.deploy.remove.mutate({ ...path, id })}
      done={`Deleted the deploy key “${isolated(title)}”`}
      onDone={() => queryClient.invalidateQueries({ queryKey: deployKeysKey(path) })}
    >
      <Fingerprint value={fingerprint} />
      <p>
        Programs that use this key will no longer be able to{' '}
        {read_only ? 'fetch from' : 'fetch from or push to'} {path.owner}/{path.repo}, and their open
        connections will close immediately. Other repositories that use the same key aren’t affected.
      </p>
    </ConfirmButton>
  )
}

interface DeleteDeployKeysButtonProps {
  path: RepoPath
  deployKeys: readonly ListedDeployKey[]
  onDone: () => void
}

function DeleteDeployKeysButton({ path, deployKeys, onDone }: DeleteDeployKeysButtonProps): ReactNode {
  const queryClient = useQueryClient()
  const ids = deployKeys.map(({ id }) => id)
  return (
    <BulkButton
      verb="Delete"
      done="Deleted"
      nouns={['deploy key', 'deploy keys']}
      names={deployKeys.map(({ title }) => title)}
      run={() => trpc.keys.deploy.removeSeveral.mutate({ ...path, ids })}
      onDone={async () => {
        onDone()
        await queryClient.invalidateQueries({ queryKey: deployKeysKey(path) })
      }}
    >
      <p>
        Programs that use {ids.length === 1 ? 'this key' : 'these keys'} will no longer be able to access{' '}
        {path.owner}/{path.repo}, and their open connections will close immediately. Other repositories that
        use the same {ids.length === 1 ? 'key' : 'keys'} aren’t affected.
      </p>
    </BulkButton>
  )
}
