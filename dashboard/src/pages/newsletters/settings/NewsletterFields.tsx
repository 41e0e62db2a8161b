import { ColorInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ApiForm } from '../../../lib/use-api-form.ts';
import { DomainHelp } from '../../../ui/form/DomainHelp.tsx';
import { FormGroup } from '../../../ui/form/Form.tsx';
import { ZoneField } from '../../../ui/form/ZoneField.tsx';
import { DEFAULT_ACCENT } from '../defaults.ts';
import classes from '../newsletters.module.css';
import { LogoField } from './LogoField.tsx';
import { LANGUAGES, type NewsletterValues } from './newsletter-form.ts';

interface Props {
  fields: ApiForm<NewsletterValues>['fields'];
}

const SWATCHES = ['#1b1b21', '#4f46e5', '#1d4ed8', '#0f766e', '#15803d', '#b45309', '#c2410c', '#be123c'];

/** Every setting of a newsletter, in the order in which people look for them. */
export function NewsletterFields(props: Props) {
  return (
    <>
      <General {...props} />
      <Sender {...props} />
      <Branding {...props} />
      <SignUp {...props} />
      <Mail {...props} />
      <Archive {...props} />
    </>
  );
}

function General({ fields }: Props) {
  return (
    <FormGroup title="General">
      <TextInput label="Name" maxLength={200} {...fields.getInputProps('name')} />
      <TextInput
        label="Address of its pages"
        description={`/n/${fields.values.slug}. The old address keeps leading here until another newsletter takes it.`}
        spellCheck={false}
        {...fields.getInputProps('slug')}
      />
      <Textarea
        label="Description"
        description="Shown where people subscribe."
        autosize
        minRows={2}
        maxLength={1000}
        {...fields.getInputProps('description')}
      />
      <div className={classes['two']}>
        <Select
          label="Language"
          description="Of pages and mail."
          data={LANGUAGES}
          allowDeselect={false}
          {...fields.getInputProps('language')}
        />
        <ZoneField
          label="Time zone"
          description="Of scheduled issues."
          {...fields.getInputProps('timezone')}
          value={fields.values.timezone}
        />
      </div>
    </FormGroup>
  );
}

function Sender({ fields }: Props) {
  return (
    <FormGroup title="Sender" description="Without an address at a verified domain, no issue can be sent.">
      <div className={classes['two']}>
        <TextInput label="Address" placeholder="news@example.com" {...fields.getInputProps('from_email')} />
        <TextInput label="Sender name" placeholder={fields.values.name} {...fields.getInputProps('from_name')} />
      </div>
      <DomainHelp refusal={fields.errors['from_email']} />
      <TextInput
        label="Replies go to"
        placeholder="The sender"
        description="One mailbox at any domain."
        {...fields.getInputProps('reply_to')}
      />
    </FormGroup>
  );
}

function Branding({ fields }: Props) {
  return (
    <FormGroup
      title="Branding"
      description="Used on pages and in mail. Posthorn adjusts the colour until text is readable."
    >
      <ColorInput
        label="Accent colour"
        placeholder={DEFAULT_ACCENT}
        format="hex"
        withEyeDropper={false}
        swatches={SWATCHES}
        swatchesPerRow={8}
        {...fields.getInputProps('accent_color')}
      />
      <LogoField fields={fields} />
      <Textarea
        label="Postal address"
        description="In the footer of every issue. The law of many countries requires it."
        autosize
        minRows={2}
        maxLength={500}
        {...fields.getInputProps('postal_address')}
      />
    </FormGroup>
  );
}

function SignUp({ fields }: Props) {
  return (
    <FormGroup title="Sign-up">
      <Toggle
        fields={fields}
        name="signup_enabled"
        label="Sign-up is open"
        description="Closed: the page, the form and its API refuse new people. You can still add and import them."
      />
      <Toggle
        fields={fields}
        name="double_opt_in"
        label="Ask new subscribers to confirm by email (double opt-in)"
        description="They are pending until they follow the link. Turning it off leaves pending people pending."
      />
      <Toggle fields={fields} name="ask_name" label="Ask for the name" description="The field is optional." />
      <TextInput
        label="Remove pending people after"
        description="In days. 0 means never. When it is empty, the setting of the server counts."
        inputMode="numeric"
        placeholder="Setting of the server"
        {...fields.getInputProps('pending_purge_days')}
      />
      <Textarea
        label="Sites that a form may return to"
        description="Scheme and host, one in each line."
        placeholder="https://www.example.com"
        autosize
        minRows={2}
        spellCheck={false}
        {...fields.getInputProps('redirect_origins')}
      />
    </FormGroup>
  );
}

function Mail({ fields }: Props) {
  return (
    <FormGroup title="Tracking and leaving">
      <Toggle
        fields={fields}
        name="track_opens"
        label="Count opens"
        description="With a small picture in each issue."
      />
      <Toggle
        fields={fields}
        name="track_clicks"
        label="Count clicks"
        description="Links of an issue lead through this server."
      />
      <Toggle
        fields={fields}
        name="unsubscribe_confirm_page"
        label="Ask before unsubscribing"
        description="The link leads to a page with a button. The button of mail programs acts at once either way."
      />
    </FormGroup>
  );
}

function Archive({ fields }: Props) {
  return (
    <FormGroup title="Archive">
      <Toggle
        fields={fields}
        name="archive_enabled"
        label="Publish sent issues"
        description="Anyone can read them on the archive page and in feeds."
      />
      <Toggle
        fields={fields}
        name="archive_indexable"
        label="Search engines may list them"
        description="Only works while sent issues are published."
      />
    </FormGroup>
  );
}

interface ToggleProps extends Props {
  name: keyof NewsletterValues & string;
  label: string;
  description: string;
}

const Toggle = ({ fields, name, label, description }: ToggleProps) => (
  <Switch size="xs" label={label} description={description} {...fields.getInputProps(name, { type: 'checkbox' })} />
);
