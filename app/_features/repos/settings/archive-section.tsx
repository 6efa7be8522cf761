'use client'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { Repository } from '@/server/repos/schema'

/** A switch that can be turned back, so that it acts at once. */
export function ArchiveSection({ repository }: { repository: Repository }): ReactNode {
  const router = useRouter()
  const { owner, name, full_name, archived } = repository
  const change = useMutation({
    mutationFn: () => trpc.repos.edit.mutate({ owner: owner.login, repo: name, archived: !archived }),
    onSuccess: () => {
      toast.success(archived ? `${full_name} can be pushed to again` : `Archived ${full_name}`)
      router.refresh()
    },
    onError: error => toast.error(readFailure(error).message),
  })

  return (
    <Panel title="Archive">
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
    </Panel>
  )
}
