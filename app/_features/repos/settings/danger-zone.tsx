'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { DangerItem } from '@/app/_components/danger-zone'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { audienceOf } from '@/app/_features/repos/access/access-labels'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Repository } from '@/server/repos/schema'

export function VisibilitySection({ repository }: { repository: Repository }): ReactNode {
  const { owner, name, full_name } = repository
  const toPrivate = !repository.private
  const word = toPrivate ? 'private' : 'public'
  return (
    <DangerItem title="Visibility">
      <div className={form.form}>
        <p>
          {repository.private
            ? 'This repository is private: only those who were given access can see it.'
            : `This repository is not private: ${audienceOf(repository.owner)} can see it.`}
        </p>
        <div className={form.actions}>
          <ConfirmButton
            label={`Make ${word}…`}
            title={`Make ${full_name} ${word}?`}
            confirm={`Make ${word}`}
            run={() => trpc.repos.edit.mutate({ owner: owner.login, repo: name, private: toPrivate })}
            done={`${full_name} is ${word}`}
            onDone={refreshPage}
          >
            {toPrivate ? (
              <>
                <p>
                  Only its owners, its collaborators and the teams it belongs to will see it. Everybody else
                  loses access at once, and its pages answer as if there were nothing.
                </p>
                <p>Copies that were cloned before stay where they are.</p>
              </>
            ) : (
              <>
                <p>
                  At once, {audienceOf(repository.owner)} can see and clone it: every branch and tag with its
                  whole history, and the activity.
                </p>
                <p>Look for passwords and keys in old commits first. What was cloned cannot be taken back.</p>
              </>
            )}
          </ConfirmButton>
        </div>
      </div>
    </DangerItem>
  )
}

/** A switch that can be turned back, so that it acts at once. */
export function ArchiveSection({ repository }: { repository: Repository }): ReactNode {
  const { owner, name, full_name, archived } = repository
  const change = useMutation({
    mutationFn: () => trpc.repos.edit.mutate({ owner: owner.login, repo: name, archived: !archived }),
    onSuccess: () => {
      toast.success(archived ? `${full_name} can be pushed to again` : `Archived ${full_name}`)
      refreshPage()
    },
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <DangerItem title="Archive">
      <div className={form.form}>
        <p>
          {archived
            ? 'This repository is archived: it can be read and cloned, and nobody can push to it.'
            : 'An archived repository can be read and cloned, and nobody can push to it. This can be turned back.'}
        </p>
        <div className={form.actions}>
          <Button loading={change.isPending} onClick={() => change.mutate()}>
            {archived ? 'Unarchive' : 'Archive'}
          </Button>
        </div>
      </div>
    </DangerItem>
  )
}

interface DeleteSectionProps {
  repository: Repository
  mayDelete: boolean
}

export function DeleteSection({ repository, mayDelete }: DeleteSectionProps): ReactNode {
  const router = useRouter()
  const { owner, name, full_name } = repository
  if (!mayDelete) {
    return (
      <DangerItem title="Delete">
        <p>You administer this repository without owning it. Only its owners can delete it.</p>
      </DangerItem>
    )
  }
  return (
    <DangerItem title="Delete">
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
              refreshPage()
            }}
          >
            <p>
              Every branch, tag and commit is deleted, and its collaborators and teams lose their access.
              Clones can no longer fetch from it or push to it. This cannot be undone.
            </p>
            <p>To keep it and only stop changes, archive it instead.</p>
          </ConfirmButton>
        </div>
      </div>
    </DangerItem>
  )
}
