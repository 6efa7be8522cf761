'use client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { UserPicker } from '@/app/_components/user-picker'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { type GivenMode, givenWords } from '@/app/_repos/access/collaborators'
import type { RepoPath } from '@/app/_repos/repository-path'
import type { User } from '@/server/users/schema'
import styles from './access.module.css'
import { ModeField } from './mode-field'
import { useAccessRefresh } from './use-access-refresh'

interface AddCollaboratorProps {
  path: RepoPath
  exclude: readonly string[]
}

/** Whoever is picked is added at once. */
export function AddCollaborator({ path, exclude }: AddCollaboratorProps): ReactNode {
  const refresh = useAccessRefresh(path)
  const [permission, setPermission] = useState<GivenMode>('write')
  const adding = useMutation({
    mutationFn: ({ login }: User) =>
      trpc.repos.collaborators.add.mutate({ ...path, collaborator: login, permission }),
    onSuccess: async (_, { login }) => {
      toast.success(`Added ${login} with ${givenWords[permission].toLowerCase()} access`)
      await refresh()
    },
  })

  return (
    <Panel title="Add a collaborator">
      <div className={styles.add}>
        <ModeField label="Access" value={permission} onChange={setPermission} />
        <UserPicker
          label="Person to add"
          placeholder="Find a person"
          exclude={exclude}
          onPick={user => adding.mutate(user)}
          error={adding.error ? readFailure(adding.error).message : undefined}
        />
      </div>
    </Panel>
  )
}
