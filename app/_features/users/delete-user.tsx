'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { DepartureDialog } from '@/app/_features/departures/departure-button'
import type { FirstNames } from '@/app/_lib/format'
import { orgPath } from '@/app/_lib/paths'
import { deletionObstaclesQuery, usersKey } from '@/app/_lib/queries/users'
import { toast } from '@/app/_lib/toast'
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
    <DepartureDialog
      wayOut={{ way: 'deletedUser', username }}
      title={`Delete the user ${username}?`}
      confirm="Delete user"
      typedName={username}
      inTheWay={<InTheWay username={username} />}
      onDone={deleted}
      onClose={onClose}
    >
      <p>
        The account is deleted with its SSH keys, access tokens and sessions. Everything that uses them stops
        working at once. This cannot be undone.
      </p>
      <p>To keep the account and only lock it, disable signing in instead.</p>
    </DepartureDialog>
  )
}

/** What an account still owns, each with the page on which that can be changed. */
function InTheWay({ username }: { username: string }): ReactNode {
  const { data } = useQuery(deletionObstaclesQuery(username))
  if (!data) return null
  return (
    <>
      <Obstacles
        title="Repositories to delete or give away"
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

export function DeleteUserSection({ username }: { username: string }): ReactNode {
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  return (
    <Panel title="Delete the account">
      <div className={form.form}>
        <p>The account goes with its SSH keys, access tokens and sessions. This cannot be undone.</p>
        <div className={form.actions}>
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete this account
          </Button>
        </div>
      </div>
      {asking ? (
        <DeleteUserDialog
          username={username}
          onClose={() => setAsking(false)}
          onDeleted={() => router.push('/-/admin/users')}
        />
      ) : null}
    </Panel>
  )
}
