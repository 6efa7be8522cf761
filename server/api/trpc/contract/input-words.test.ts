import { expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const long = 'x'.repeat(3000)

it.each([
  ['login', 'sessions.signIn', { login: long, password: 'a good password' }, 254],
  ['password', 'sessions.signIn', { login: 'ada', password: long }, 255],
  ['current_password', 'users.changePassword', { current_password: long, new_password: 'a good one' }, 255],
])('a %s that is too long is reported next to its field, in plain words', async (field, path, input, max) => {
  const browser = path === 'sessions.signIn' ? new Browser(site) : await signIn(site, await makePerson(site))
  const { status, error } = await browser.mutate(path, input)
  expect([status, error]).toMatchObject([
    400,
    { message: `Use at most ${max} characters.`, data: { kind: 'invalid', field } },
  ])
})

it('an invalid input is rejected with a sentence, without details of the validation', async () => {
  const browser = await signIn(site, await makePerson(site))
  const input = { username: '%00' }
  const { status, error } = await browser.query('users.get', input)
  expect([status, error]).toMatchObject([400, { message: 'not a name', data: { kind: 'invalid' } }])
})
