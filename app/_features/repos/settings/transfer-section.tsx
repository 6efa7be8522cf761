'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useRef, useState } from 'react'
import { AskButton } from '@/app/_components/confirm-button'
import { DangerItem } from '@/app/_components/danger-zone'
import { TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { OfferActions } from '@/app/_features/repos/transfer/offer-actions'
import { repositoryPath } from '@/app/_lib/paths'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Repository, RepositoryHome } from '@/server/repos/schema'
import { TransferDialog } from './transfer-dialog'

/** Section to transfer a repository to another owner, or to cancel a pending transfer. */
export function TransferSection({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, transfer, may_delete: mayTransfer } = home
  return (
    // All states share one item, so that the keyboard focus remains in it when the state changes.
    <DangerItem title="Transfer">
      {!mayTransfer ? (
        <p>You’re an administrator but not an owner of this repository. Only owners can transfer it.</p>
      ) : transfer ? (
        <Waiting repository={repository} recipient={transfer.recipient} />
      ) : (
        <TransferForm repository={repository} />
      )}
    </DangerItem>
  )
}

function Waiting({ repository, recipient }: { repository: Repository; recipient: string }): ReactNode {
  const { owner, name } = repository
  return (
    <div className={form.form}>
      <p>Waiting for {recipient} to accept this repository.</p>
      <div className={form.actions}>
        <OfferActions owner={owner.login} repo={name} recipient={recipient} mayAccept={false} mayCancel />
      </div>
    </div>
  )
}

function TransferForm({ repository }: { repository: Repository }): ReactNode {
  const [newOwner, setNewOwner] = useState('')
  const recipient = newOwner.trim()
  return (
    <div className={form.form}>
      <p>
        Transfer this repository to another person or organization. They must accept the transfer unless you
        can create repositories for them.
      </p>
      <div className={form.narrow}>
        <TextField
          label="New owner"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
          value={newOwner}
          onChange={event => setNewOwner(event.target.value)}
        />
      </div>
      <div className={form.actions}>
        {recipient === '' ? (
          <Button variant="danger" disabled>
            Transfer this repository…
          </Button>
        ) : (
          <TransferButton repository={repository} recipient={recipient} />
        )}
      </div>
    </div>
  )
}

function TransferButton({ repository, recipient }: { repository: Repository; recipient: string }): ReactNode {
  const router = useRouter()
  const transferred = useRef<Repository>(undefined)
  const { full_name } = repository
  return (
    <AskButton
      label="Transfer this repository…"
      done={() =>
        transferred.current?.repo_transfer
          ? `Waiting for ${recipient} to accept ${full_name}`
          : `Transferred ${full_name} to ${recipient}`
      }
      onDone={() => {
        if (transferred.current && !transferred.current.repo_transfer)
          router.push(repositoryPath(transferred.current))
        refreshPage()
      }}
      dialog={({ finish, close }) => (
        <TransferDialog
          repository={repository}
          recipient={recipient}
          onDone={async answer => {
            transferred.current = answer
            await finish()
          }}
          onClose={close}
        />
      )}
    />
  )
}
