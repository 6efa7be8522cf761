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

/** Gives the repository to another owner, or says for whom it waits. */
export function TransferSection({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, transfer, may_delete: mayTransfer } = home
  return (
    // One item for all, so that the keyboard stays in it when what it shows changes.
    <DangerItem title="Transfer">
      {!mayTransfer ? (
        <p>You administer this repository without owning it. Only its owners can give it to somebody else.</p>
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
      <p>This repository is waiting for {recipient} to accept it.</p>
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
        Give this repository to another person or organization. They have to accept it, unless you may create
        repositories there yourself.
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
          ? `${full_name} waits for ${recipient} to accept it`
          : `${full_name} belongs to ${recipient} now`
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
