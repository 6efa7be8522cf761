'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { LazyConfirmDialog } from '@/app/_components/confirm-button'
import { DangerItem, DangerZone } from '@/app/_components/danger-zone'
import form from '@/app/_components/form.module.css'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { RemovalDialog } from '@/app/_features/removals/removal-button'
import { readFailure } from '@/app/_lib/failure'
import type { FirstNames } from '@/app/_lib/format'
import { orgPath } from '@/app/_lib/paths'
import { deletionObstaclesQuery, purgeQuery, usersKey } from '@/app/_lib/queries/users'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { PurgeEffects } from '@/server/removals/schema'
import styles from './users.module.css'

interface DeleteUserDialogProps {
  username: string
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteUserDialog({ username, onClose, onDeleted }: DeleteUserDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const deleted = async (): Promise<void> => {
    toast.success(`Deleted the user ${username}`)
    onDeleted?.()
    onClose()
    await queryClient.invalidateQueries({ queryKey: usersKey })
  }

  return (
    <RemovalDialog
      target={{ kind: 'deletedUser', username }}
      title={`Delete the user ${username}?`}
      confirm="Delete user"
      typedName={username}
      inTheWay={<InTheWay username={username} />}
      onDone={deleted}
      onClose={onClose}
    >
      <p>
        This deletes the account, including its SSH keys, access tokens, and sessions. Anything that uses them
        immediately stops working. This can’t be undone.
      </p>
      <p>To lock the account without deleting it, disable sign-in instead.</p>
    </RemovalDialog>
  )
}

/**
 * Lists the repositories and organizations that prevent the deletion of an account. Each entry links to the
 * page where the administrator can delete or transfer the repository, or add an owner to the organization.
 */
function InTheWay({ username }: { username: string }): ReactNode {
  const { data } = useQuery(deletionObstaclesQuery(username))
  if (!data) return null
  return (
    <>
      <Obstacles
        title="Repositories to delete or transfer"
        found={data.repositories}
        hrefOf={name => `/${name}/settings`}
      />
      <Obstacles
        title="Organizations that need another owner"
        found={data.organizations}
        hrefOf={name => orgPath(name, 'teams/Owners')}
      />
    </>
  )
}

interface ObstaclesProps {
  title: string
  found: FirstNames
  hrefOf: (name: string) => string
}

function Obstacles({ title, found: { total, names }, hrefOf }: ObstaclesProps): ReactNode {
  if (total === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={styles.obstacles}>{title}</h3>
      <ul className={styles.names}>
        {names.map(name => (
          <li key={name}>
            <TextLink href={hrefOf(name)}>{name}</TextLink>
          </li>
        ))}
        {total > names.length ? (
          <li>{`and ${(total - names.length).toLocaleString('en-US')} more`}</li>
        ) : null}
      </ul>
    </section>
  )
}

/**
 * Dialog that deletes an account with everything it owns, after it has listed the repositories and
 * organizations. If these have changed when the administrator confirms, nothing is deleted and the dialog
 * shows the current ones.
 */
function PurgeUserDialog({ username, onClose, onDeleted }: DeleteUserDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const { data, error, refetch, isFetching } = useQuery(purgeQuery(username))
  const purging = useMutation({
    mutationFn: (expected: PurgeEffects) => trpc.removals.purge.mutate({ username, expected }),
    onSuccess: async () => {
      toast.success(`Deleted the user ${username} and everything they owned`)
      onDeleted?.()
      onClose()
      await queryClient.invalidateQueries({ queryKey: usersKey })
    },
    onError: async () => {
      await refetch()
    },
  })
  return (
    <LazyConfirmDialog
      title={`Delete the user ${username} and everything they own?`}
      confirm="Delete user and data"
      typedName={username}
      ready={data !== undefined && !isFetching}
      pending={purging.isPending}
      failure={purging.error ? readFailure(purging.error).message : undefined}
      refusal={error ? readFailure(error).message : undefined}
      onConfirm={() => data && purging.mutate(data)}
      onClose={onClose}
    >
      <div role="status">{data ? <Purged {...data} /> : <p>Checking what’s affected…</p>}</div>
      <p>
        This deletes the account, including its SSH keys, access tokens, and sessions. The repositories and
        organizations listed above will also be deleted, along with all their data, such as code, releases,
        workflow runs, and teams. This can’t be undone.
      </p>
    </LazyConfirmDialog>
  )
}

function Purged({ repositories, organizations }: PurgeEffects): ReactNode {
  if (repositories.total + organizations.total === 0)
    return <p>No repositories or organizations will be deleted.</p>
  return (
    <>
      <Obstacles title="Repositories to be deleted" found={repositories} hrefOf={name => `/${name}`} />
      <Obstacles title="Organizations to be deleted" found={organizations} hrefOf={name => orgPath(name)} />
    </>
  )
}

export function DeleteUserSection({ username }: { username: string }): ReactNode {
  const router = useRouter()
  const [asking, setAsking] = useState<'account' | 'everything'>()
  const dialog = {
    username,
    onClose: () => setAsking(undefined),
    onDeleted: () => router.push('/-/admin/users'),
  }
  return (
    <DangerZone>
      <DangerItem title="Delete account">
        <div className={form.form}>
          <p>
            Deletes the account, including its SSH keys, access tokens, and sessions. This can’t be undone.
          </p>
          <div className={form.actions}>
            <Button variant="danger" onClick={() => setAsking('account')}>
              Delete account
            </Button>
            <Button variant="danger" onClick={() => setAsking('everything')}>
              Delete account and all data
            </Button>
          </div>
        </div>
        {asking === 'account' ? <DeleteUserDialog {...dialog} /> : null}
        {asking === 'everything' ? <PurgeUserDialog {...dialog} /> : null}
      </DangerItem>
    </DangerZone>
  )
}
