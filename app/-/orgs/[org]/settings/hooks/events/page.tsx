import { explanationsPage } from '@/app/_features/hooks/pages/explanations-page'
import { placeOfOrg } from '@/app/_features/places/read-place'

export const metadata = { title: 'Events for webhooks' }

export default explanationsPage(placeOfOrg)
