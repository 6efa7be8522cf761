'use client'
import { type ReactNode, useState } from 'react'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { audienceOf } from '@/app/_features/repos/access/access-labels'
import type { Repository } from '@/server/repos/schema'
import { VisibilityDialog } from './visibility-dialog'

export function VisibilitySection({ repository }: { repository: Repository }): ReactNode {
  const [asking, setAsking] = useState(false)
  return (
    <Panel title="Visibility">
      <div className={form.form}>
        <p>
          {repository.private
            ? 'This repository is private: only those who were given access can see it.'
            : `This repository is not private: ${audienceOf(repository.owner)} can see it.`}
        </p>
        <div className={form.actions}>
          <Button variant="danger" onClick={() => setAsking(true)}>
            {repository.private ? 'Make public…' : 'Make private…'}
          </Button>
        </div>
      </div>
      {asking ? <VisibilityDialog repository={repository} onClose={() => setAsking(false)} /> : null}
    </Panel>
  )
}
