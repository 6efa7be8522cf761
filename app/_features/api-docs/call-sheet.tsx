'use client'
import { type ReactNode, useState } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { FormBanner, TextareaField } from '@/app/_components/fields'
import { Button } from '@/app/_components/primer'
import styles from './call-sheet.module.css'
import { type ApiCall, blankOf, resolved, type Schema, sampleOf, typeName } from './description'
import { exampleOf, type Language, languages } from './examples'
import { ParameterField, withCode } from './parameter-field'
import { addressOf, type CallInput, type Reply, send } from './request'

interface CallProps {
  call: ApiCall
  /** URL prefix of every path, such as `/api/v1`. */
  base: string
  schemas: Record<string, Schema>
  token: string
}

/** Documentation of an endpoint, with a form that sends a request to it. */
export function CallSheet({ call, base, schemas, token }: CallProps): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(() => (call.body ? jsonText(blankOf(call.body.schema, schemas)) : ''))
  const [reply, setReply] = useState<Reply>()
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = { values, body }
  const address = addressOf(call, base, input)

  const submit = async (): Promise<void> => {
    const missing = call.parameters.find(({ name, required }) => required && !values[name])
    setReply(undefined)
    setProblem(missing ? `“${missing.name}” is required.` : undefined)
    if (missing || isPending) return
    setPending(true)
    try {
      setReply(await send(call, address, input, token))
    } catch {
      setProblem('Couldn’t reach the server. Check your connection and try again.')
    } finally {
      setPending(false)
    }
  }

  return (
    <div className={styles.sheet}>
      <p>
        {withCode(call.description)} {credentialText[call.credentials]}
      </p>
      <form
        className={styles.form}
        method="post"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        {call.parameters.map(parameter => (
          <ParameterField
            key={`${parameter.in} ${parameter.name}`}
            parameter={parameter}
            typeName={typeName(parameter.schema, schemas)}
            value={values[parameter.name] ?? ''}
            onValue={value => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {call.body ? (
          <>
            <TextareaField
              label={`Request body (${call.body.type})`}
              optional={!call.body.required}
              rows={Math.min(16, body.split('\n').length)}
              spellCheck={false}
              autoComplete="off"
              className={styles.code}
              value={body}
              onChange={event => setBody(event.target.value)}
            />
            <Fields title="Request body fields" schema={call.body.schema} schemas={schemas} />
          </>
        ) : null}
        <Example call={call} address={`${window.location.origin}${address}`} input={input} />
        <FormBanner title="The request couldn’t be sent" message={problem} />
        <div>
          <Button type="submit" variant={call.method === 'DELETE' ? 'danger' : 'default'} loading={isPending}>
            Send request
          </Button>
        </div>
      </form>
      <div role="status">{reply ? <ReplyView id={call.id} reply={reply} /> : null}</div>
      <Responses call={call} schemas={schemas} />
    </div>
  )
}

const credentialText = {
  needed: 'Requires an access token or a password.',
  welcome:
    'Authentication is optional. With a token, results also include items visible to the token’s owner.',
  none: 'No authentication required.',
}

interface ExampleProps {
  call: ApiCall
  address: string
  input: CallInput
}

/** Command or code that sends the same request from a terminal or program. */
function Example({ call, address, input }: ExampleProps): ReactNode {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <div className={styles.part}>
      <fieldset className={styles.languages} aria-label="Example language">
        {languages.map(each => (
          <button
            key={each}
            type="button"
            className={styles.language}
            aria-pressed={each === language}
            onClick={() => setLanguage(each)}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <CommandLine command={exampleOf(language, call, address, input)} what="example" />
    </div>
  )
}

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

function ReplyView({ id, reply }: { id: string; reply: Reply }): ReactNode {
  return (
    <div className={styles.part}>
      <h4 className={styles.title}>Response</h4>
      <p>
        <strong className={reply.ok ? styles.good : styles.bad}>{reply.status}</strong> in{' '}
        {reply.milliseconds} ms
      </p>
      <dl className={styles.headers}>
        {reply.headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}:</dt> <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {reply.body ? <Listing label={`Response body of ${id}`} text={reply.body} /> : null}
    </div>
  )
}

/**
 * Scrollable block of text. The label must contain the endpoint's ID, because several endpoints can be
 * expanded and each region of a page needs a unique name.
 */
function Listing({ label, text }: { label: string; text: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has no other way to scroll it
    <section className={styles.listing} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  )
}

interface FieldsProps {
  title: string
  schema: Schema
  schemas: Record<string, Schema>
}

function Fields({ title, schema, schemas }: FieldsProps): ReactNode {
  const { properties = {}, required = [] } = resolved(schema, schemas)
  const fields = Object.entries(properties)
  if (fields.length === 0) return null
  return (
    <div className={styles.part}>
      <h4 className={styles.title}>{title}</h4>
      <ul className={styles.fields}>
        {fields.map(([name, field]) => (
          <li key={name}>
            <code className={styles.name}>{name}</code>{' '}
            <span className={styles.type}>
              {typeName(field, schemas)}
              {required.includes(name) ? ', required' : ''}
            </span>
            {field.description ? <> {withCode(field.description)}</> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Responses({ call, schemas }: { call: ApiCall; schemas: Record<string, Schema> }): ReactNode {
  return (
    <div className={styles.part}>
      <h4 className={styles.title}>Responses</h4>
      <ul className={styles.fields}>
        {call.answers.map(([status, { description, content, headers }]) => {
          const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? []
          return (
            <li key={status}>
              <code className={styles.name}>{status}</code> {withCode(description ?? '')}{' '}
              {Object.keys(headers ?? {}).map(name => (
                <span key={name} className={styles.type}>
                  {name}{' '}
                </span>
              ))}
              {schema ? (
                <span className={styles.type}>{typeName(schema, schemas)}</span>
              ) : (
                <span className={styles.type}>{type ?? 'no body'}</span>
              )}
              {schema && status.startsWith('2') ? (
                <Listing
                  label={`Sample ${status} response of ${call.id}`}
                  text={jsonText(sampleOf(schema, schemas))}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
