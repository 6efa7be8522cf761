'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AddForm } from '@/app/_components/add-form'
import { Panel } from '@/app/_components/box'
import { UserPicker } from '@/app/_components/user-picker'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { keys } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { usePersonToAdd } from '@/app/_lib/use-person-to-add'
import styles from './access-page.module.css'
import { type GivenMode, givenModeLabels, ModeField } from './mode-field'
import { useAccessRefresh } from './use-access-refresh'

export function AddCollaborator({ path }: { path: RepoPath }): ReactNode {
  const refresh = useAccessRefresh(path)
  const queryClient = useQueryClient()
  const [permission, setPermission] = useState<GivenMode>('write')
  const adding = useMutation({
    mutationFn: (collaborator: string) =>
      trpc.repos.collaborators.add.mutate({ ...path, collaborator, permission }),
    onSuccess: async (_, collaborator) => {
      toast.success(`Added ${collaborator} with ${givenModeLabels[permission].toLowerCase()} access`)
      next()
      await queryClient.invalidateQueries({ queryKey: keys.candidates })
      await refresh()
    },
  })

  const {
    chosen,
    picker: { key, ...picker },
    next,
  } = usePersonToAdd(() => adding.reset())

  return (
    <Panel title="Add a collaborator">
      <AddForm
        label="Add collaborator"
        ready={chosen !== undefined}
        pending={adding.isPending}
        onAdd={async () => chosen && (await adding.mutateAsync(chosen).catch(() => undefined))}
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
