'use client'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { ListBox, Panel } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { PersonAddIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Button, FormControl, Select } from '@/app/_components/primer'
import { UserPicker, usePersonToAdd } from '@/app/_components/user-picker'
import { PersonRow } from '@/app/_features/orgs/person-row'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { collaboratorsQuery } from '@/app/_lib/queries/repositories'
import { candidatesKey } from '@/app/_lib/queries/users'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { offerUndo, useUndoable } from '@/app/_lib/use-undoable'
import { grantableModes } from '@/server/access/access-mode'
import type { Collaborator } from '@/server/repos/collaborators/schema'
import styles from './access-page.module.css'
import { useAccessRefresh } from './explanation-panel'

/** Lists a repository's collaborators, with controls to add and remove them and to change their access. */
export function CollaboratorsSection({ path, page }: { path: RepoPath; page: number }): ReactNode {
  const { data } = useQuery({ ...collaboratorsQuery(path, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  return (
    <div className={styles.section}>
      <AddCollaborator path={path} />
      {data.total === 0 ? (
        <EmptyState icon={PersonAddIcon} title="No collaborators yet">
          <p>Collaborators have access to this repository only.</p>
        </EmptyState>
      ) : (
        <ListBox title="Collaborators" total={data.total}>
          {data.items.map(collaborator => (
            <CollaboratorRow key={collaborator.user.id} path={path} collaborator={collaborator} />
          ))}
        </ListBox>
      )}
      <Pager label="Pages of collaborators" page={page} limit={data.limit} total={data.total} />
    </div>
  )
}

interface CollaboratorRowProps {
  path: RepoPath
  collaborator: Collaborator
}

function CollaboratorRow({ path, collaborator: { user, mode } }: CollaboratorRowProps): ReactNode {
  const refresh = useAccessRefresh(path)
  const person = { ...path, collaborator: user.login }
  const give = (permission: GrantableMode | undefined) =>
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
            label={`Access for ${user.login}`}
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

function AddCollaborator({ path }: { path: RepoPath }): ReactNode {
  const refresh = useAccessRefresh(path)
  const queryClient = useQueryClient()
  const [permission, setPermission] = useState<GrantableMode>('write')
  const refreshAll = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: candidatesKey })
    await refresh()
  }
  const adding = useMutation({
    mutationFn: (collaborator: string) =>
      trpc.repos.collaborators.add.mutate({ ...path, collaborator, permission }),
    onSuccess: async (_, collaborator) => {
      offerUndo({
        done: `Added ${collaborator} with ${grantableModeLabels[permission].toLowerCase()} access`,
        undo: () => trpc.repos.collaborators.remove.mutate({ ...path, collaborator }),
        refresh: refreshAll,
      })
      next()
      await refreshAll()
    },
  })

  const {
    selected,
    picker: { key, ...picker },
    next,
  } = usePersonToAdd(() => adding.reset())

  return (
    <Panel title="Add a collaborator">
      <AddForm
        label="Add collaborator"
        ready={selected !== undefined}
        pending={adding.isPending}
        onAdd={async () => selected && (await adding.mutateAsync(selected).catch(() => undefined))}
      >
        <div className={styles.add}>
          <UserPicker
            key={key}
            {...picker}
            label="Person to add"
            find={{ for: 'repository', ...path }}
            error={adding.error ? readFailure(adding.error).message : undefined}
          />
          <ModeField label="Access" value={permission} onChange={setPermission} />
        </div>
      </AddForm>
    </Panel>
  )
}

/** Access mode that can be granted to a collaborator. */
type GrantableMode = Collaborator['mode']

const grantableModeLabels: Record<GrantableMode, string> = { read: 'Read', write: 'Write', admin: 'Admin' }

interface ModeFieldProps {
  label: string
  /** Shows the label to screen readers only, for lists in which each row has the same field. */
  hideLabel?: boolean
  value: GrantableMode | undefined
  onChange: (mode: GrantableMode) => void
}

function ModeField({ label, hideLabel = false, value, onChange }: ModeFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label visuallyHidden={hideLabel}>{label}</FormControl.Label>
      <Select value={value ?? ''} onChange={event => onChange(event.target.value as GrantableMode)}>
        {grantableModes.map(mode => (
          <option key={mode} value={mode}>
            {grantableModeLabels[mode]}
          </option>
        ))}
      </Select>
    </FormControl>
  )
}
