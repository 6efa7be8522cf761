'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { FormBanner, TextareaField, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { Button, Dialog } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { branchesKey, branchNamesQuery, tagsKey } from '@/app/_lib/queries/refs'
import { toast } from '@/app/_lib/toast'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'

/** What is entered in the dialog. */
export interface RefValues {
  name: string
  source: string
  message: string
}

export interface RefDialogProps {
  path: RepoPath
  title: string
  /** Label of the button. */
  label: string
  /** What the fields hold at first. Those without a value here are not asked for, except the name. */
  initial: Partial<RefValues>
  children?: ReactNode
  act: (values: RefValues) => Promise<unknown>
  done: (values: RefValues) => string
  onDone?: ((values: RefValues) => void) | undefined
  onClose: () => void
}

// Fields of the API by the field of the dialog that shows their problems.
const fieldOf: Readonly<Record<string, keyof RefValues>> = {
  new_branch_name: 'name',
  tag_name: 'name',
  name: 'name',
  old_ref_name: 'source',
  target: 'source',
  message: 'message',
}

/** Dialog that asks for the name of a branch or tag, and for where it begins. */
export function RefDialog(props: RefDialogProps): ReactNode {
  const { path, title, label, initial, children, act, done, onDone, onClose } = props
  const queryClient = useQueryClient()
  const [values, setValues] = useState({ name: '', source: '', message: '', ...initial })
  const name = useRef<HTMLInputElement>(null)
  const source = useRef<HTMLInputElement>(null)
  const names = useId()
  const branches = useQuery({ ...branchNamesQuery(path), enabled: initial.source !== undefined })
  const change = useMutation({
    mutationFn: () => act(values),
    onSuccess: async () => {
      toast.success(done(values))
      onClose()
      onDone?.(values)
      await Promise.all(
        [branchesKey, tagsKey].map(key => queryClient.invalidateQueries({ queryKey: key(path) })),
      )
      // Updates the counts on the tabs.
      refreshPage()
    },
  })
  const problem = problemOf(change.error)
  useEffect(() => {
    if (problem?.field === 'name') name.current?.focus()
    if (problem?.field === 'source') source.current?.focus()
  }, [problem?.field])
  const submit = useSingleFlight(() => change.mutateAsync().catch(() => undefined))
  const field = (of: keyof RefValues) => ({
    value: values[of],
    error: problem?.field === of ? problem.message : undefined,
    onChange: ({ target }: { target: { value: string } }) =>
      setValues(known => ({ ...known, [of]: target.value })),
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <Dialog title={title} onClose={onClose} initialFocusRef={name}>
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner
          title="Something went wrong"
          message={problem && !problem.field ? problem.message : undefined}
        />
        <TextField ref={name} label="Name" autoCapitalize="none" {...field('name')} />
        {initial.source === undefined ? null : (
          <>
            <TextField
              ref={source}
              label={initial.message === undefined ? 'Source' : 'Target'}
              caption="A branch, a tag, or a commit ID."
              autoCapitalize="none"
              list={names}
              {...field('source')}
            />
            <datalist id={names}>
              {branches.data?.names.map(each => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </>
        )}
        {initial.message === undefined ? null : (
          <TextareaField
            label="Message"
            optional
            rows={3}
            caption="With a message, the tag is annotated: it records you and the time."
            {...field('message')}
          />
        )}
        {children}
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={change.isPending}>
            {label}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}

function problemOf(error: Error | null): { field: keyof RefValues | undefined; message: string } | undefined {
  if (!error) return undefined
  const { field, kind, message } = readFailure(error)
  // Git stores names as files, so what is in the way is another name.
  const isAboutName = kind === 'alreadyExists' || kind === 'conflict'
  return { field: fieldOf[field ?? ''] ?? (isAboutName ? 'name' : undefined), message }
}
