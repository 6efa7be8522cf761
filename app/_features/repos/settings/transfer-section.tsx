'use client'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type ReactNode, useRef, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { OfferActions } from '@/app/_features/repos/transfer/offer-actions'
import { repositoryPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { Repository, RepositoryHome } from '@/server/repos/schema'
import type { TransferEffects } from '@/server/repos/transfer/schema'

/** Gives the repository to another owner, or says for whom it waits. */
export function TransferSection({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, transfer, may_delete: mayTransfer } = home
  return (
    // One panel for all, so that the keyboard stays in it when what it shows changes.
    <Panel title="Transfer">
      {!mayTransfer ? (
        <p>You administer this repository without owning it. Only its owners can give it to somebody else.</p>
      ) : transfer ? (
        <Waiting repository={repository} recipient={transfer.recipient} />
      ) : (
        <TransferForm repository={repository} />
      )}
    </Panel>
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
  const given = useRef<Repository>(undefined)
  const { owner, name, full_name } = repository
  const names = { owner: owner.login, repo: name }
  return (
    <ConfirmButton
      label="Transfer this repository…"
      title={`Transfer ${full_name} to ${recipient}?`}
      confirm="Transfer repository"
      typedName={full_name}
      run={async () => {
        given.current = await trpc.repos.transfer.start.mutate({ ...names, new_owner: recipient })
      }}
      done={() =>
        given.current?.repo_transfer
          ? `${full_name} waits for ${recipient} to accept it`
          : `${full_name} belongs to ${recipient} now`
      }
      onDone={() => {
        if (given.current && !given.current.repo_transfer) router.push(repositoryPath(given.current))
        router.refresh()
      }}
    >
      <p>
        Once it is accepted, {recipient} decides on it and you have what they give you. Its address, clones
        and old links lead on to the new one. Its collaborators stay, and so do its releases, runs and
        variables. Teams are added by the new owner.
      </p>
      <p>Its workflows are off from then on until its new owner turns them on, unless you own both places.</p>
      <Effects names={names} />
    </ConfirmButton>
  )
}

// What would let the former owner act on it, or is a secret of theirs.
function Effects({ names }: { names: { owner: string; repo: string } }): ReactNode {
  const { data } = useQuery({
    queryKey: ['transfer effects', names],
    queryFn: () => trpc.repos.transfer.showEffects.query(names),
  })
  const ending = data && listed(data)
  return (
    <>
      <p>
        {ending === ''
          ? 'No teams, deploy keys, webhooks, secrets or runners end with it.'
          : `The transfer ends what its present owner set up: ${ending ?? '…'}.`}
      </p>
      {data && data.runs > 0 ? (
        <p>{counted(data.runs, 'workflow run')} that did not complete yet will be canceled.</p>
      ) : null}
    </>
  )
}

const listed = ({ teams, deploy_keys, hooks, secrets, runners }: TransferEffects): string =>
  [
    counted(teams, 'team'),
    counted(deploy_keys, 'deploy key'),
    counted(hooks, 'webhook'),
    counted(secrets, 'secret'),
    counted(runners, 'runner'),
  ]
    .filter(Boolean)
    .join(', ')

const counted = (count: number, what: string): string =>
  count === 0 ? '' : `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
