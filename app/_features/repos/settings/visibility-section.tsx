'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import form from '@/app/_components/form.module.css'
import { audienceOf } from '@/app/_features/repos/access/access-labels'
import { trpc } from '@/app/_lib/trpc'
import type { Repository } from '@/server/repos/schema'

export function VisibilitySection({ repository }: { repository: Repository }): ReactNode {
  const router = useRouter()
  const { owner, name, full_name } = repository
  const toPrivate = !repository.private
  const word = toPrivate ? 'private' : 'public'
  return (
    <Panel title="Visibility">
      <div className={form.form}>
        <p>
          {repository.private
            ? 'This repository is private: only those who were given access can see it.'
            : `This repository is not private: ${audienceOf(repository.owner)} can see it.`}
        </p>
        <div className={form.actions}>
          <ConfirmButton
            label={`Make ${word}…`}
            stays
            title={`Make ${full_name} ${word}?`}
            confirm={`Make ${word}`}
            run={() => trpc.repos.edit.mutate({ owner: owner.login, repo: name, private: toPrivate })}
            done={`${full_name} is ${word}`}
            onDone={() => router.refresh()}
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
    </Panel>
  )
}
