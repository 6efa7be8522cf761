'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import form from '@/app/_components/form.module.css'
import { trpc } from '@/app/_lib/trpc'
import type { Repository } from '@/server/repos/schema'

interface DeleteSectionProps {
  repository: Repository
  mayDelete: boolean
}

export function DeleteSection({ repository, mayDelete }: DeleteSectionProps): ReactNode {
  const router = useRouter()
  const { owner, name, full_name } = repository
  if (!mayDelete) {
    return (
      <Panel title="Delete">
        <p>You administer this repository without owning it. Only its owners can delete it.</p>
      </Panel>
    )
  }
  return (
    <Panel title="Delete">
      <div className={form.form}>
        <p>The repository goes with its branches, tags and activity. This cannot be undone.</p>
        <div className={form.actions}>
          <ConfirmButton
            label="Delete this repository…"
            title={`Delete ${full_name}?`}
            confirm="Delete repository"
            typedName={full_name}
            run={() => trpc.repos.remove.mutate({ owner: owner.login, repo: name })}
            done={`Deleted ${full_name}`}
            onDone={() => {
              router.push('/')
              router.refresh()
            }}
          >
            <p>
              Every branch, tag and commit is deleted, and what its collaborators and teams may do with it.
              Clones stop working with it at once. This cannot be undone.
            </p>
            <p>To keep it and only stop changes, archive it instead.</p>
          </ConfirmButton>
        </div>
      </div>
    </Panel>
  )
}
