'use client'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/app/_components/primer'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useUndoable } from '@/app/_lib/use-undoable'
import type { Collaborator } from '@/server/repos/collaborators/schema'
import styles from './access-page.module.css'
import type { GivenMode } from './mode-field'
import { ModeField } from './mode-field'
import { useAccessRefresh } from './use-access-refresh'

interface CollaboratorRowProps {
  path: RepoPath
  collaborator: Collaborator
}

export function CollaboratorRow({ path, collaborator: { user, mode } }: CollaboratorRowProps): ReactNode {
  const refresh = useAccessRefresh(path)
  const person = { ...path, collaborator: user.login }
  const give = (permission: GivenMode | undefined) =>
    trpc.repos.collaborators.add.mutate({ ...person, permission })
  const change = useMutation({
    mutationFn: give,
    onSuccess: refresh,
    onError: error => toast.error(readFailure(error).message),
  })
  const removal = useUndoable({
    act: () => trpc.repos.collaborators.remove.mutate(person),
    undo: () => give(mode),
    done: `Removed ${user.login}`,
    refresh,
  })

  return (
    <PersonRow
      person={user}
      action={
        <div className={styles.actions}>
          <ModeField
            label={`Access of ${user.login}`}
            hideLabel
            value={change.isPending ? change.variables : mode}
            onChange={permission => change.mutate(permission)}
          />
          <Button
            variant="danger"
            aria-label={`Remove ${user.login}`}
            loading={removal.isPending}
            onClick={removal.onClick}
          >
            Remove
          </Button>
        </div>
      }
    />
  )
}
