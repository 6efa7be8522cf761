'use client'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import type { Repository } from '@/server/repos/schema'
import { DeleteDialog } from './delete-dialog'

interface DeleteSectionProps {
  repository: Repository
  mayDelete: boolean
}

export function DeleteSection({ repository, mayDelete }: DeleteSectionProps): ReactNode {
  const [asking, setAsking] = useState(false)
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
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete this repository…
          </Button>
        </div>
      </div>
      {asking ? <DeleteDialog repository={repository} onClose={() => setAsking(false)} /> : null}
    </Panel>
  )
}
