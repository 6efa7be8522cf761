'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Panel } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { DangerItem, DangerZone } from '@/app/_components/danger-zone'
import form from '@/app/_components/form.module.css'
import { SaveForm } from '@/app/_components/save-form'
import { addressWarningQuery, hooksKey } from '@/app/_lib/queries/hooks'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSaveForm } from '@/app/_lib/use-save-form'
import { isolated } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { BrowsedHook, HookFields, ManagedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { cappedCount } from './capped-count'
import { HookFieldset, hookLabels } from './hook-fields'
import { hooksPath } from './hook-paths'
import { hookTitle } from './hook-title'
import { typeFromAddress } from './type-labels'

interface EditHookProps {
  scope: ScopeName
  hook: BrowsedHook
}

const loadFields = async () => (await import('@/server/hooks/manage/schema')).HookFields

const fieldsOf = (hook: ManagedHook): HookFields => ({
  url: hook.url,
  content_type: hook.content_type,
  channel: hook.channel,
  username: hook.username,
  icon_url: hook.icon_url,
  color: hook.color,
  name: hook.name,
  branch_filter: hook.branch_filter,
  events: hook.events.join(' '),
  active: hook.active,
})

export function EditHookForm({ scope, hook }: EditHookProps): ReactNode {
  const queryClient = useQueryClient()
  const edit = useSaveForm({
    schema: loadFields,
    saved: fieldsOf(hook),
    labels: hookLabels,
    save: async change => {
      const { hook: now, warning } = await trpc.hooks.save.mutate({ scope, id: hook.id, ...change })
      if (change.changes.url !== undefined) {
        queryClient.setQueryData(addressWarningQuery(scope, now.url).queryKey, warning)
      }
      toast.success('Saved the webhook')
      await queryClient.invalidateQueries({ queryKey: hooksKey(scope) })
      return fieldsOf(now)
    },
  })
  const values = useWatch({ control: edit.form.control }) as HookFields

  return (
    <Panel title="Settings">
      <SaveForm edit={edit} failed="The webhook couldn’t be saved" action="Save webhook" wide>
        <HookFieldset
          scope={scope}
          saved={hook.url}
          type={typeFromAddress(hook.type)}
          values={values}
          text={edit.text}
          contentType={edit.form.register('content_type')}
          active={edit.check('active')}
          eventsProblem={edit.form.formState.errors.events?.message}
          onEvents={events => {
            edit.form.setValue('events', events, { shouldDirty: true })
            edit.form.clearErrors('events')
          }}
        />
      </SaveForm>
    </Panel>
  )
}

export function DeleteHookSection({ scope, hook }: EditHookProps): ReactNode {
  const router = useRouter()
  const queryClient = useQueryClient()
  const {
    id,
    health: { pending },
  } = hook
  return (
    <DangerZone>
      <DangerItem title="Delete the webhook">
        <div className={form.form}>
          <p>
            The webhook will stop sending events, and its delivery log will be deleted. To pause it
            temporarily, clear “Active” instead.
          </p>
          <div className={form.actions}>
            <ConfirmButton
              label="Delete webhook"
              title={`Delete the webhook ${isolated(hookTitle(hook))}?`}
              confirm="Delete webhook"
              run={() => trpc.hooks.remove.mutate({ scope, id })}
              done={`Deleted the webhook ${isolated(hookTitle(hook))}`}
              onDone={async () => {
                router.push(hooksPath(scope))
                refreshPage()
                await queryClient.invalidateQueries({ queryKey: [...hooksKey(scope), 'list'] })
              }}
            >
              <p>
                {pending === 0
                  ? ''
                  : `${cappedCount(pending)} pending ${pending === 1 ? 'delivery' : 'deliveries'} won’t be sent. `}
                Its delivery log, including all requests and responses, will be deleted. This can’t be undone.
              </p>
            </ConfirmButton>
          </div>
        </div>
      </DangerItem>
    </DangerZone>
  )
}
