// What java.util.regex makes of a corpus of patterns and texts: the answers that ours are held against.
// usage: java Answers.java CORPUS >ANSWERS
//
// A corpus has lines "p:PATTERN", then "t:TEXT" and "r:REPLACEMENT" lines for it; %HH is a byte. Answers are lines of
// fields between tabs: p PATTERN (groups | refused); t TEXT matches(0|1) (no | groups of the first match: each "=" and its
// text, or "~" when it took no part, between commas); r REPLACEMENT TEXT (= and the new text | refused).
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

public class Answers {
  private final StringBuilder out = new StringBuilder();
  private String pattern;
  private final List<String> texts = new ArrayList<>();
  private final List<String> replacements = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    Answers answers = new Answers();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      if (line.startsWith("p:")) {
        answers.finish();
        answers.pattern = line.substring(2);
      } else if (line.startsWith("t:")) {
        answers.texts.add(line.substring(2));
      } else if (line.startsWith("r:")) {
        answers.replacements.add(line.substring(2));
      }
    }
    answers.finish();
    System.out.print(answers.out);
  }

  private void finish() {
    if (pattern != null) {
      out.append("p\t").append(pattern).append('\t');
      try {
        Pattern compiled = Pattern.compile(decoded(pattern));
        out.append(compiled.matcher("").groupCount()).append('\n');
        texts.forEach(text -> answer(compiled, text));
      } catch (PatternSyntaxException | NullPointerException | IndexOutOfBoundsException e) {
        out.append("refused\n");
      }
    }
    texts.clear();
    replacements.clear();
  }

  private void answer(Pattern compiled, String text) {
    String decoded = decoded(text);
    out.append("t\t").append(text).append('\t').append(compiled.matcher(decoded).matches() ? 1 : 0).append('\t');
    Matcher matcher = compiled.matcher(decoded);
    if (!matcher.find()) {
      out.append("no");
    } else {
      for (int i = 0; i <= matcher.groupCount(); ++i) {
        out.append(i == 0 ? "" : ",").append(matcher.group(i) == null ? "~" : "=" + encoded(matcher.group(i)));
      }
    }
    out.append('\n');
    for (String replacement : replacements) {
      out.append("r\t").append(replacement).append('\t').append(text).append('\t');
      try {
        String replaced = compiled.matcher(decoded).replaceAll(decoded(replacement));
        out.append('=').append(encoded(replaced));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        out.append("refused");
      }
      out.append('\n');
    }
  }

  private static String decoded(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    for (int i = 0; i < bytes.length; ++i) {
      if (bytes[i] == '%') {
        decoded.write(Integer.parseInt(new String(bytes, i + 1, 2, StandardCharsets.US_ASCII), 16));
        i += 2;
      } else {
        decoded.write(bytes[i]);
      }
    }
    return new String(decoded.toByteArray(), StandardCharsets.UTF_8);
  }

  private static String encoded(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > 0x20 && b < 0x7F && b != '%' && b != ',';
      encoded.append(plain ? String.valueOf((char) b) : String.format("%%%02X", b & 0xFF));
    }
    return encoded.toString();
  }
}
