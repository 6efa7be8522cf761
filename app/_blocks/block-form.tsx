'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { Button } from '@/app/_components/primer'
import { TextField } from '@/app/_components/text-field'
import { type Blocker, blockUser } from '@/app/_lib/blocker'
import { readFailure } from '@/app/_lib/failure'
import { showFailure } from '@/app/_lib/form-error'
import { toast } from '@/app/_lib/toast'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { BlockUserInput } from '@/server/blocks/schema'

export function BlockForm({ org }: { org?: Blocker }): ReactNode {
  const queryClient = useQueryClient()
  const block = useForm({ resolver: zodResolver(BlockUserInput) })
  const { errors, isSubmitting } = block.formState

  const submit = useSingleFlight(
    block.handleSubmit(async input => {
      const username = input.username.trim()
      if (username === '') return block.setError('username', { message: 'Enter a user name.' })
      try {
        await blockUser(org, { ...input, username })
        await queryClient.invalidateQueries({ queryKey: ['blocks'] })
        block.reset()
        toast.success(`Blocked ${username}`)
      } catch (error) {
        if (readFailure(error).kind === 'notFound') {
          return block.setError('username', { message: `There is no user named “${username}”.` })
        }
        showFailure(block, error)
      }
    }),
  )

  return (
    <Panel title="Block somebody">
      <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
        <FormBanner title="Nobody was blocked" message={errors.root?.server?.message} />
        <TextField
          {...block.register('username')}
          label="User name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
        />
        <TextField
          {...block.register('note')}
          label="Note"
          optional
          autoComplete="off"
          caption={org ? 'For the owners of the organization.' : 'Only you can see it.'}
          error={errors.note?.message}
        />
        <div className={form.actions}>
          <Button type="submit" variant="danger" loading={isSubmitting}>
            Block
          </Button>
        </div>
      </form>
    </Panel>
  )
}
